import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { formatMoment } from '../../../src/core/words/time-text.ts'
import { type KeyGroup, KeyList } from '../../../src/page/key-list.tsx'
import { Text } from '../../../src/page/text.tsx'

// What reviewing and writing have alike: a line that says what went wrong, the time and the keys.

const notice = signal({ text: '', isBad: false })
export const seconds = signal(0) // on what is open
const areKeysShown = signal(false)

export function tell(text: string, isBad = false): void {
  notice.value = { text, isBad }
}

export const formatStamps = ([start, end]: readonly [number, number]) => `${formatMoment(start)}–${formatMoment(end)}`

let isBusy = false

// One thing at a time; what it throws is shown.
export async function during(action: () => Promise<void>): Promise<void> {
  if (isBusy) return
  isBusy = true
  try {
    await action()
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true)
  } finally {
    isBusy = false
  }
}

export function countSeconds(counts: () => boolean): void {
  setInterval(() => {
    if (!document.hidden && counts()) seconds.value++
  }, 1000)
}

interface KeyWork {
  inField(event: KeyboardEvent): boolean // whether a key within a field does something
  press(event: KeyboardEvent): boolean // and one outside of them
}

// Everything by keyboard as by buttons.
export function onKeys({ inField, press }: KeyWork): void {
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement
    if (target.matches('textarea, input:not([type=checkbox]), select')) {
      if (event.key === 'Escape') target.blur()
      else if (!inField(event)) return
      return event.preventDefault()
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isDialogOpen = document.querySelector('dialog[open]') !== null // its close event comes later
    if (event.key === '?') {
      areKeysShown.value = !isDialogOpen
      return event.preventDefault()
    }
    const isOfButton = (event.key === 'Enter' || event.key === ' ') && target.matches('button, summary')
    if (!isDialogOpen && !isOfButton && press(event)) event.preventDefault()
  })
}

interface ReviewFrameProps {
  reviewer: string | undefined
  progress: string
  controls?: ComponentChildren
  groups: readonly KeyGroup[]
  advice: string
  children: ComponentChildren
}

export function ReviewFrame({ reviewer, progress, controls, groups, advice, children }: ReviewFrameProps) {
  return (
    <>
      <header class="top-bar">
        <span class="brand">longtake</span>
        <span id="who">{reviewer}</span>
        <span id="progress" aria-live="polite">
          {progress}
        </span>
        <span id="time" class="dim" title="time on this question">
          {seconds.value > 0 && formatMoment(seconds.value).replace(/\.0$/, '')}
        </span>
        {controls}
        <button id="help" type="button" class="quiet" aria-label="All keys" onClick={() => setKeysShown(true)}>
          ?
        </button>
      </header>
      <p id="status" role="status" class={notice.value.isBad ? 'bad' : undefined}>
        {notice.value.text}
      </p>
      {children}
      {areKeysShown.value && (
        <KeyList groups={groups} close={() => setKeysShown(false)}>
          <p>{advice}</p>
        </KeyList>
      )}
    </>
  )
}

function setKeysShown(isShown: boolean): void {
  areKeysShown.value = isShown
}

// Texts, one a line; nothing if there are none.
export function TextList({ id, of: texts }: { id: string; of: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <ul id={id}>
      {texts.map((text, at) => (
        <li key={`${at} ${text}`}>
          <Text of={text} />
        </li>
      ))}
    </ul>
  )
}

export function TextPairs({ id, of: pairs }: { id: string; of: readonly [name: string, text: string][] }) {
  return (
    <dl id={id}>
      {pairs.map(([name, text]) => (
        <div key={name}>
          <dt>
            <Text of={name} />
          </dt>
          <dd>
            <Text of={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface KeyButtonProps {
  id: string
  keys: string // "v", as the page shows them beside the word
  class?: string
  press(): void
  children: ComponentChildren
}

export function KeyButton({ id, keys, class: name, press, children }: KeyButtonProps) {
  return (
    <button id={id} type="button" class={name} onClick={press}>
      {children} <kbd>{keys}</kbd>
    </button>
  )
}
