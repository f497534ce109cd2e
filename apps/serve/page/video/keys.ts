import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import type { Conversation } from '../chat/conversation.ts'
import { type Film, listCites } from '../chat/film.ts'
import type { LaneControl } from '../lanes/control.ts'
import type { PlayerClock } from '../player/clock.ts'
import type { ShownRow } from '../rows/row-source.ts'

interface KeyWork {
  clock: PlayerClock
  control: LaneControl
  chat: Conversation
  film: ReadonlySignal<Film>
  lit: ReadonlySignal<ShownRow | undefined>
  jump(row: ShownRow): void
  frameRate: number | undefined
}

const usualRate = 25 // frames a second, where the file does not say

// One key each; where somebody types, and where a control has a use for the key itself, it is left alone.
export function useVideoKeys(work: KeyWork): void {
  const now = useRef(work)
  now.current = work
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const action = isOwn(event) ? undefined : actions[event.key]
      if (!action) return
      event.preventDefault()
      action(now.current, event.target)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

const by = (seconds: number) => (work: KeyWork) => work.clock.seek(work.clock.time.peek() + seconds)
const frame = (direction: 1 | -1) => (work: KeyWork) => by(direction / (work.frameRate ?? usualRate))(work)

const actions: Record<string, (work: KeyWork, target: EventTarget | null) => void> = {
  ' ': ({ clock }) => clock.toggle(),
  k: ({ clock }) => clock.toggle(),
  j: by(-10),
  l: by(10),
  ArrowLeft: by(-5),
  ArrowRight: by(5),
  ',': frame(-1),
  '.': frame(1),
  '[': ({ control }) => control.goRow(-1),
  ']': ({ control }) => control.goRow(1),
  '+': ({ control }) => control.zoom(0.5),
  '=': ({ control }) => control.zoom(0.5),
  '-': ({ control }) => control.zoom(2),
  '0': ({ control }) => control.fit(),
  a: () => focusQuestion(),
  c({ chat, clock }, target) {
    const row = target instanceof HTMLElement ? target.dataset.time : undefined
    const at = formatTime(row === undefined ? clock.time.peek() : Number(row))
    const before = chat.question.peek().trimEnd()
    chat.question.value = `${before}${before === '' ? 'At' : ' at'} ${at} `
    focusQuestion()
  },
  n: work => goCitation(work, 1),
  p: work => goCitation(work, -1),
}

function goCitation({ film, chat, lit, jump }: KeyWork, step: 1 | -1): void {
  const turn = chat.active.peek()
  const rowsById = chat.rows(film.peek())
  const rows = listCites(turn?.answer ?? film.peek().answer).flatMap(id => rowsById.get(id) ?? [])
  const at = rows.findIndex(({ id }) => id === lit.peek()?.id)
  const next = rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : (at + step + rows.length) % rows.length]
  if (next) jump(next)
}

function focusQuestion(): void {
  const field = document.querySelector<HTMLTextAreaElement>('#ask')
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['range', 'checkbox', 'radio'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

// Space presses a button, arrows move a range, and the controls of the player have keys of their own.
function isOwn({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (key === ' ') return target.closest('button, a, summary, video, [role=tab]') !== null
  if (key.startsWith('Arrow')) return target.closest('input, video, [role=tablist]') !== null
  return false
}
