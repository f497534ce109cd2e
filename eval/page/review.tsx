import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatMoment } from '../../src/core/words/time-text.ts'
import { Text } from '../../src/page/text.tsx'
import type { ItemView, RowView } from '../make/review/page-data.ts'
import {
  chooseEvent,
  chooseOption,
  counts,
  data,
  filter,
  markEvent,
  nextEvent,
  openedPanel,
  openItem,
  openPanel,
  revealKey,
  say,
  showNext,
  start,
  store,
  undo,
  update,
  updatePanel,
  type VerdictPanel,
  work,
} from './review/item.ts'
import { markedSpans, playerKeyList, playerKeys, ReviewPlayer, seek } from './review/player.tsx'
import {
  countSeconds,
  formatStamps,
  KeyButton,
  onKeys,
  ReviewFrame,
  TextList,
  TextPairs,
  tell,
} from './review/session.tsx'
import './review.css'

const keyGroups = [
  playerKeyList,
  {
    title: 'Question',
    keys: [
      ['1 … 8', 'your answer; after the key: how sure you are, 1 to 5'],
      ['v Enter', 'see the key, once you have answered'],
      ['e', 'the next of the events that the answer rests on'],
      ['t n', 'the event is at the marked intervals; it is not in the video'],
    ],
  },
  {
    title: 'Verdict',
    keys: [
      ['k f d', 'keep, fix, drop'],
      ['a … m', 'a reason of a fix or a drop'],
      ['Enter', 'save; within a field Ctrl-Enter'],
      ['u', 'take back the last verdict'],
      ['Escape', 'close what is open'],
    ],
  },
] as const

function Review() {
  const { done = 0, left = 0, total = 0 } = counts.value ?? {}
  const progress = counts.value ? `${done} done, ${left} left for you, ${total} in the set` : ''
  return (
    <ReviewFrame
      reviewer={data.reviewer}
      progress={progress}
      controls={<Controls />}
      groups={keyGroups}
      advice="Answer before you look at the key: the first answers are the human row of the set."
    >
      {openItem.value && (
        <>
          <main id="work">
            <ReviewPlayer clues={work.value.isSeen ? openItem.value.key.clues : []} />
            <section class="ask">
              <Question of={openItem.value} />
              {work.value.isSeen && <Key of={openItem.value} />}
              {openedPanel.value && <PanelForm of={openedPanel.value} />}
            </section>
          </main>
          <Verdicts />
        </>
      )}
    </ReviewFrame>
  )
}

function Controls() {
  const choices = (change: object) => {
    filter.value = { ...filter.value, ...change }
    ;(document.activeElement as HTMLElement | null)?.blur()
    void showNext()
  }
  return (
    <>
      {data.mode === 'static' && !data.reviewer && (
        <input id="name" aria-label="your name" placeholder="your name" maxLength={40} />
      )}
      <select id="kind" aria-label="which type" onChange={event => choices({ kind: event.currentTarget.value })}>
        <option value="">every type</option>
        {data.kinds.map(kind => (
          <option key={kind}>{kind}</option>
        ))}
      </select>
      {data.flagged && (
        <label id="flags">
          <input id="flagged" type="checkbox" onChange={event => choices({ flagged: event.currentTarget.checked })} />{' '}
          flagged only
        </label>
      )}
      {store.save && (
        <button id="save" type="button" class="primary" onClick={saveFile}>
          Save verdicts
        </button>
      )}
    </>
  )
}

function saveFile() {
  const field = document.querySelector<HTMLInputElement>('#name')
  const reviewer = data.reviewer ?? field?.value.trim() ?? ''
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(reviewer)) return tell(store.save?.(reviewer) ?? '')
  field?.focus()
  tell('Write your name first: letters and digits.', true)
}

function Question({ of: { kind, video, turns, question, options, key } }: { of: ItemView }) {
  const { isSeen, answered = '' } = work.value
  const stateOf = (option: string, at: number) =>
    [option === answered && 'chosen', isSeen && at === key.right && 'right'].filter(Boolean).join(' ')
  return (
    <>
      <p id="about" class="dim">
        <Text of={kind} /> · <Text of={video} />
      </p>
      <TextList id="turns" of={turns} />
      <h1 id="question">
        <Text of={question} />
      </h1>
      {options ? (
        <ol id="options">
          {options.map((option, at) => (
            <li key={option}>
              <button
                type="button"
                class={stateOf(option, at)}
                aria-pressed={option === answered}
                onClick={() => chooseOption(at)}
              >
                <kbd>{at + 1}</kbd> <Text of={option} />
              </button>
            </li>
          ))}
        </ol>
      ) : (
        <textarea
          id="answer"
          rows={2}
          dir="auto"
          aria-label="your answer"
          readOnly={isSeen}
          value={answered}
          onInput={event => update({ answered: event.currentTarget.value })}
        />
      )}
    </>
  )
}

function Key({ of: { flags, options, key } }: { of: ItemView }) {
  const { answer, right, clues, rows, more, events } = key
  const number = options && right !== undefined ? `${right + 1}. ` : ''
  return (
    <div id="key">
      <h2>Key</h2>
      <p id="right">
        {number}
        <Text of={answer} />
        {clues.length > 0 && ` — ${clues.map(formatStamps).join(', ')}`}
      </p>
      <TextList id="flaglist" of={flags} />
      {events && events.list.length > 0 && <Events list={events.list} />}
      <h2>Rows of the index</h2>
      <Rows of={rows} />
      {more.length > 0 && <TextPairs id="more" of={more} />}
    </div>
  )
}

// With the first that is cited in view.
function Rows({ of: rows }: { of: readonly RowView[] }) {
  const list = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => {
    const cited = list.current?.querySelector<HTMLElement>('.cited')
    if (list.current && cited) list.current.scrollTop = cited.offsetTop - list.current.offsetTop
  }, [rows])
  return (
    <ol id="rows" ref={list}>
      {rows.map(({ start, text, cited }, at) => (
        <li key={`${at} ${text}`}>
          <button type="button" class={cited ? 'cited' : undefined} onClick={() => seek(start)}>
            <span class="number">{formatMoment(start)}</span> <Text of={text} />
          </button>
        </li>
      ))}
    </ol>
  )
}

// What was said of an event in another question stands already.
function Events({ list }: { list: readonly string[] }) {
  const { events, event: chosen } = work.value
  const saidAt = (event: string) => {
    const mark = events[event]
    if (mark === undefined) return ''
    return ` — ${mark === 'absent' ? 'not in the video' : mark.map(formatStamps).join(', ')}`
  }
  return (
    <section id="events">
      <h2>When does each happen?</h2>
      <ol id="eventlist">
        {list.map((event, at) => (
          <li key={event}>
            <button
              type="button"
              class={at === chosen ? 'chosen' : undefined}
              aria-current={at === chosen}
              onClick={() => chooseEvent(at)}
            >
              <Text of={event} />
              {saidAt(event)}
            </button>
          </li>
        ))}
      </ol>
      <p class="bar">
        <KeyButton id="then" keys="t" press={() => markEvent([...markedSpans.value])}>
          At the marked times
        </KeyButton>
        <KeyButton id="never" keys="n" press={() => markEvent('absent')}>
          Not in the video
        </KeyButton>
      </p>
    </section>
  )
}

const letters = 'abcdefghijklm'

function toggleReason(reason: string): void {
  const { reasons = [] } = work.value.panel ?? {}
  updatePanel({ reasons: reasons.includes(reason) ? reasons.filter(one => one !== reason) : [...reasons, reason] })
}

function PanelForm({ of: { verdict, texts, reasons, note } }: { of: VerdictPanel }) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [verdict])
  const names = ['question', ...(openItem.value?.options?.map((_, at) => `option ${at + 1}`) ?? ['answer'])]
  return (
    <form id="panel" ref={form} onSubmit={event => event.preventDefault()}>
      <h2 id="doing">
        {verdict === 'fix'
          ? 'Fix: change what is wrong; intervals marked after the key (i, o) replace the clue'
          : 'Drop'}
      </h2>
      {verdict === 'fix' && (
        <div id="fields">
          {texts.map((text, at) => (
            <textarea
              key={names[at]}
              aria-label={names[at]}
              title={names[at]}
              rows={2}
              dir="auto"
              value={text}
              onInput={event => updatePanel({ texts: texts.with(at, event.currentTarget.value) })}
            />
          ))}
        </div>
      )}
      <fieldset id="reasons">
        <legend>Why</legend>
        {data.reasons.map((reason, at) => (
          <label key={reason}>
            <input
              type="checkbox"
              value={reason}
              checked={reasons.includes(reason)}
              onChange={() => toggleReason(reason)}
            />{' '}
            <kbd>{letters[at]}</kbd> {reason.replaceAll('-', ' ')}
          </label>
        ))}
      </fieldset>
      <input
        id="note"
        aria-label="note"
        placeholder="note"
        maxLength={2000}
        dir="auto"
        value={note}
        onInput={event => updatePanel({ note: event.currentTarget.value })}
      />
    </form>
  )
}

// Always in view, with its keys.
function Verdicts() {
  const { isSeen, sure } = work.value
  const panel = openedPanel.value
  return (
    <footer class="verdicts">
      {!isSeen && (
        <KeyButton id="see" keys="v" class="primary" press={revealKey}>
          See the key
        </KeyButton>
      )}
      {isSeen && (
        <p id="sure" aria-live="polite">
          {sure === undefined ? 'How sure?' : `How sure: ${sure} of 5`} <kbd>1</kbd>…<kbd>5</kbd>
        </p>
      )}
      {isSeen && !panel && (
        <>
          <KeyButton id="keep" keys="k" class="primary" press={() => void say('keep')}>
            Keep
          </KeyButton>
          <KeyButton id="fix" keys="f" press={() => openPanel('fix')}>
            Fix
          </KeyButton>
          <KeyButton id="drop" keys="d" press={() => openPanel('drop')}>
            Drop
          </KeyButton>
        </>
      )}
      {panel && (
        <>
          <KeyButton id="say" keys="Enter" class="primary" press={() => void say(panel.verdict)}>
            Save this {panel.verdict}
          </KeyButton>
          <KeyButton id="close" keys="Esc" press={() => updatePanel({ isOpen: false })}>
            Close
          </KeyButton>
        </>
      )}
      <KeyButton id="undo" keys="u" class="quiet" press={() => void undo()}>
        Undo the last
      </KeyButton>
    </footer>
  )
}

const itemKeys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  ...playerKeys,
  v: revealKey,
  k: () => void say('keep'),
  f: () => openPanel('fix'),
  d: () => openPanel('drop'),
  u: () => void undo(),
  e: nextEvent,
  t: () => markEvent([...markedSpans.value]),
  n: () => markEvent('absent'),
}

function pressInPanel({ key }: KeyboardEvent): boolean {
  const reason = letters.includes(key) ? data.reasons[letters.indexOf(key)] : undefined
  if (key === 'Escape') updatePanel({ isOpen: false })
  else if (key === 'Enter') void say(openedPanel.value?.verdict ?? 'drop')
  else if (reason !== undefined) toggleReason(reason)
  else return false
  return true
}

function pressOnItem(event: KeyboardEvent): boolean {
  const digit = /^[1-8]$/.test(event.key) ? Number(event.key) : 0
  const { isSeen } = work.value
  if (digit > 0 && !isSeen) chooseOption(digit - 1)
  else if (digit > 0 && digit < 6) update({ sure: digit })
  else if (event.key === 'Enter' && !isSeen) revealKey()
  else if (Object.hasOwn(itemKeys, event.key)) itemKeys[event.key]?.(event)
  else return false
  return true
}

onKeys({
  inField({ key, ctrlKey, target }) {
    const panel = openedPanel.value
    if (key !== 'Enter' || !panel || !(ctrlKey || (target as Element).id === 'note')) return false
    void say(panel.verdict)
    return true
  },
  press(event) {
    if (!openItem.value && event.key === 'u') void undo()
    if (!openItem.value) return false
    if (!openedPanel.value) return pressOnItem(event)
    if (!/^Arrow|^ $/.test(event.key)) return pressInPanel(event)
    playerKeys[event.key]?.(event)
    return true
  },
})
countSeconds(() => openItem.value !== undefined)
render(<Review />, document.getElementById('page') as HTMLElement)
start()
