import { batch, effect, signal } from '@preact/signals'
import { render } from 'preact'
import { Text } from '../../src/page/text.tsx'
import type { Checked, PeopleData, PeopleStep, WrittenDraft } from '../make/review/page-data.ts'
import { openDraft } from './review/draft.ts'
import {
  isMarking,
  markedSpans,
  playerKeyList,
  playerKeys,
  ReviewPlayer,
  seek,
  setMarks,
  showVideo,
} from './review/player.tsx'
import {
  countSeconds,
  during,
  KeyButton,
  onKeys,
  ReviewFrame,
  seconds,
  TextList,
  TextPairs,
  tell,
} from './review/session.tsx'
import { askServer } from './review/store.ts'
import './review.css'

// A question from nothing: what is written is checked by the server as it grows, and saved whole.

const data: PeopleData = JSON.parse(document.querySelector('script[type="application/json"]')?.textContent ?? '')

const keyGroups = [
  playerKeyList,
  {
    title: 'Question',
    keys: [
      ['g t', 'choose the video, the type of the question'],
      ['q a', 'write the question, the right answer'],
      ['1 … 7', 'write a wrong answer'],
      ['Escape', 'leave the field'],
      ['s', 'save and begin another; within a field Ctrl-Enter'],
      ['u', 'take back the last one and change it'],
    ],
  },
] as const

const [firstVideo] = data.videos
const [firstType] = data.types
const empty = {
  video: firstVideo?.id ?? '',
  type: firstType?.name ?? '',
  question: '',
  answer: '',
  negatives: Array.from({ length: data.negatives }, () => ''),
}
const memory = openDraft<WrittenDraft>(`longtake question for ${data.set} by ${data.reviewer}`)
const draft = signal(empty)
const counts = signal<PeopleStep | undefined>(undefined)
const checks = signal<Checked | undefined>(undefined)
let isChanged = false

function fullDraft(): WrittenDraft {
  return { ...draft.value, clues: [...markedSpans.value], seconds: seconds.peek() }
}

function fill({ clues, seconds: spent, negatives, ...texts }: WrittenDraft): void {
  batch(() => {
    draft.value = { ...texts, negatives: empty.negatives.map((_, at) => negatives[at] ?? '') }
    setMarks(clues)
    seconds.value = spent
  })
  loadVideo(texts.video)
}

function loadVideo(id: string): void {
  const video = data.videos.find(one => one.id === id)
  if (video) showVideo(video)
}

function change(changes: Partial<typeof empty>): void {
  isChanged = true
  draft.value = { ...draft.value, ...changes }
}

let checkTimer: ReturnType<typeof setTimeout> | undefined
let lastCheck = 0
async function check(): Promise<void> {
  const number = ++lastCheck
  try {
    const checked = await askServer<Checked>('check', fullDraft())
    if (number === lastCheck) checks.value = checked
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true)
  }
}

const save = () =>
  during(async () => {
    if (isMarking()) return tell('The last interval has no end: end it with o, or remove it with x.', true)
    counts.value = await askServer<PeopleStep>('save', fullDraft())
    fill({ ...empty, video: draft.value.video, type: draft.value.type, clues: [], seconds: 0 })
    isChanged = false
    ;(document.activeElement as HTMLElement | null)?.blur()
    tell('Saved.')
  })

const undo = () =>
  during(async () => {
    const { before, ...step } = await askServer<PeopleStep & { before: WrittenDraft }>('undo', {})
    counts.value = step
    fill(before)
    isChanged = true
    tell('Taken back: change it and save it again.')
  })

function Writing() {
  const { question, answer, negatives, ...chosen } = draft.value
  const type = data.types.find(({ name }) => name === chosen.type)
  return (
    <ReviewFrame
      reviewer={data.reviewer}
      progress={counts.value ? `${counts.value.own} by you, ${counts.value.total} in the set` : ''}
      controls={
        <select id="which" aria-label="which video" value={chosen.video} onChange={chooseVideo}>
          {data.videos.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      }
      groups={keyGroups}
      advice="Mark the whole event that the answer needs. A second person reviews what you write."
    >
      <main id="work">
        <ReviewPlayer clues={[]} />
        <section class="ask">
          <h1>A question of your own</h1>
          <label for="type">
            Type <kbd>t</kbd>
          </label>
          <select id="type" value={chosen.type} onChange={event => change({ type: event.currentTarget.value })}>
            {data.types.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <p id="asks" class="dim">
            {type && `${type.kind}: asks ${type.asks}`}
          </p>
          <Field
            id="question"
            keys="q"
            title="Question"
            rows={3}
            value={question}
            write={question => change({ question })}
          />
          <Field id="answer" keys="a" title="Right answer" value={answer} write={answer => change({ answer })} />
          {negatives.map((wrong, at) => (
            <Field
              key={`wrong${at + 1}`}
              id={`wrong${at + 1}`}
              keys={String(at + 1)}
              title="Wrong answer"
              value={wrong}
              write={text => change({ negatives: negatives.with(at, text) })}
            />
          ))}
          <Checks />
        </section>
      </main>
      <footer class="verdicts">
        <KeyButton id="write" keys="s" class="primary" press={() => void save()}>
          Save
        </KeyButton>
        <KeyButton id="undo" keys="u" class="quiet" press={() => void undo()}>
          Undo the last
        </KeyButton>
      </footer>
    </ReviewFrame>
  )
}

function chooseVideo({ currentTarget }: { currentTarget: HTMLSelectElement }): void {
  setMarks([])
  change({ video: currentTarget.value })
  loadVideo(currentTarget.value)
  seek(0)
}

interface FieldProps {
  id: string
  keys: string
  title: string
  rows?: number
  value: string
  write(text: string): void
}

function Field({ id, keys, title, rows = 1, value, write }: FieldProps) {
  return (
    <>
      <label for={id}>
        {title} <kbd>{keys}</kbd>
      </label>
      <textarea
        id={id}
        rows={rows}
        maxLength={2000}
        dir="auto"
        value={value}
        onInput={event => write(event.currentTarget.value)}
      />
    </>
  )
}

function Checks() {
  const { faults = [], doubts = [], set = [], spread } = checks.value ?? {}
  const lines = [...faults.map(one => ({ ...one, class: 'bad' })), ...doubts.map(one => ({ ...one, class: 'doubt' }))]
  const { deciles = [], lengths, kinds = {} } = spread ?? {}
  const figures = {
    'first clues, by tenths of their video': deciles.join(' '),
    'clues below 10 s, below 60 s, longer': lengths ? [lengths.short, lengths.middle, lengths.long].join(' ') : '',
    ...Object.fromEntries(Object.entries(kinds).map(([kind, count]) => [kind, String(count)])),
  }
  return (
    <>
      <h2>Checks</h2>
      <ul id="faults" aria-live="polite">
        {lines.map(line => (
          <li key={`${line.check} ${line.detail}`} class={line.class}>
            K{line.k} {line.check}: <Text of={line.detail} />
          </li>
        ))}
        {checks.value && lines.length === 0 && <li>No check finds a fault.</li>}
      </ul>
      <h2>The set with this question</h2>
      <TextList id="warnings" of={set} />
      <TextPairs id="spread" of={Object.entries(figures)} />
    </>
  )
}

const focus = (id: string) => () => document.getElementById(id)?.focus()
const press: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  ...playerKeys,
  g: focus('which'),
  t: focus('type'),
  q: focus('question'),
  a: focus('answer'),
  s: () => void save(),
  u: () => void undo(),
  ...Object.fromEntries(empty.negatives.map((_, at) => [at + 1, focus(`wrong${at + 1}`)])),
}

onKeys({
  inField({ key, ctrlKey }) {
    if (key !== 'Enter' || !ctrlKey) return false
    void save()
    return true
  },
  press(event) {
    if (!Object.hasOwn(press, event.key)) return false
    press[event.key]?.(event)
    return true
  },
})
addEventListener('beforeunload', event => {
  if (isChanged) event.preventDefault()
})
countSeconds(() => true)
render(<Writing />, document.getElementById('page') as HTMLElement)
fill(memory.read() ?? { ...empty, clues: [], seconds: 0 })
effect(() => {
  memory.write(fullDraft())
  clearTimeout(checkTimer)
  checkTimer = setTimeout(() => void check(), 250)
})
void during(async () => {
  counts.value = await askServer<PeopleStep>('state', {})
})
