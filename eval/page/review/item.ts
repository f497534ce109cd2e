import { batch, computed, effect, signal } from '@preact/signals'
import type { ItemView, ReviewData, ReviewStep } from '../../make/review/page-data.ts'
import type { EventMark, ReviewVerdict } from '../../make/review/verdict.ts'
import type { ItemInterval } from '../../recipes/item.ts'
import { openDraft } from './draft.ts'
import { markedSpans, seek, setMarks, showVideo } from './player.tsx'
import { during, seconds, tell } from './session.tsx'
import { type ItemFilter, openReviewStore } from './store.ts'

// One item: the answer first, then the key, then the verdict.

export const data: ReviewData = JSON.parse(document.querySelector('script[type="application/json"]')?.textContent ?? '')
export const store = openReviewStore(data)

export interface VerdictPanel {
  isOpen: boolean // closed, it keeps what was written
  verdict: 'fix' | 'drop'
  texts: readonly string[] // of a fix: the question, then its options or its answer
  reasons: readonly string[]
  note: string
}

// What a person has said of the open item so far.
interface ItemWork {
  isSeen: boolean // the key
  answered?: string
  clues: readonly ItemInterval[] // marked before the key
  sure?: number // 1 to 5
  events: Readonly<Record<string, EventMark>>
  event: number // the place of the one that is timed next
  panel?: VerdictPanel
}

const untouched: ItemWork = { isSeen: false, clues: [], events: {}, event: 0 }
export const filter = signal<ItemFilter>({})
export const counts = signal<Omit<ReviewStep, 'item'> | undefined>(undefined)
export const openItem = signal<ItemView | undefined>(undefined)
export const work = signal<ItemWork>(untouched)

interface ItemDraft {
  hash: string
  work: ItemWork
  marks: readonly ItemInterval[]
  seconds: number
}
const draft = openDraft<ItemDraft>(`longtake review draft of ${data.set} by ${data.reviewer ?? ''}`)

export function update(changes: Partial<ItemWork>): void {
  work.value = { ...work.value, ...changes }
}

export const showNext = () => during(async () => show(await store.next(filter.value)))
export const undo = () => during(async () => show(await store.undo()))

export function start(): void {
  void showNext()
  effect(() => {
    if (openItem.value)
      draft.write({ hash: openItem.value.hash, work: work.value, marks: markedSpans.value, seconds: seconds.value })
  })
  if (data.mode === 'static') return
  // Others write questions while nothing is left here.
  setInterval(() => {
    if (document.hidden || openItem.value) return
    void during(async () => {
      const step = await store.next(filter.value)
      if (step.item) show(step)
    })
  }, 5000)
}

function show({ item: shownItem, ...step }: ReviewStep): void {
  const storedDraft = draft.read()
  const before = shownItem?.before
  batch(() => {
    counts.value = step
    if (!shownItem) {
      openItem.value = undefined
      seconds.value = 0
      tell(step.left > 0 ? 'Nothing is left with this filter.' : 'Nothing is left for you. Thank you.')
      return
    }
    tell('')
    const video = data.videos.find(({ id }) => id === shownItem.video)
    if (video) showVideo(video)
    seek(0)
    if (!before && storedDraft?.hash === shownItem.hash) {
      work.value = storedDraft.work
      setMarks(storedDraft.marks)
      seconds.value = storedDraft.seconds
    } else {
      const { answered, confidence: sure, clues = [] } = before ?? {}
      work.value = { ...untouched, clues, ...(answered !== undefined && { answered }), ...(sure && { sure }) }
      setMarks(clues)
      seconds.value = before?.seconds ?? 0
    }
    openItem.value = shownItem
  })
  if (before) revealKey()
  else (document.activeElement as HTMLElement | null)?.blur()
}

export function chooseOption(at: number): void {
  const option = openItem.value?.options?.[at]
  if (!work.value.isSeen && option !== undefined) update({ answered: option })
}

export function revealKey() {
  const { isSeen, answered } = work.value
  if (isSeen || !openItem.value) return
  const { before, key } = openItem.value
  if (!answered?.trim() && !before) return tell('Answer first: the first answers are the human row of the set.', true)
  const { list = [], marks: events = {} } = key.events ?? {}
  const event = Math.max(
    0,
    list.findIndex(one => events[one] === undefined),
  )
  update({ isSeen: true, clues: markedSpans.value, events, event, ...(answered && { answered: answered.trim() }) })
  setMarks([])
  tell('')
  const [clue] = key.clues
  if (clue) seek(clue[0])
}

export function chooseEvent(event: number): void {
  update({ event })
  const mark = work.value.events[openItem.value?.key.events?.list[event] ?? '']
  const [first] = Array.isArray(mark) ? mark : []
  if (first) seek(first[0])
}

export function nextEvent(): void {
  const count = openItem.value?.key.events?.list.length ?? 0
  if (work.value.isSeen && count > 0) chooseEvent((work.value.event + 1) % count)
}

export function markEvent(mark: EventMark) {
  const list = openItem.value?.key.events?.list ?? []
  const event = list[work.value.event]
  if (!work.value.isSeen || event === undefined) return
  if (mark.length === 0) return tell('Mark an interval first: it begins with i and ends with o.', true)
  const events = { ...work.value.events, [event]: mark }
  const open = list.findIndex(one => events[one] === undefined)
  update({ events, ...(open >= 0 && { event: open }) })
  setMarks([])
  tell('')
}

export function openPanel(verdict: 'fix' | 'drop') {
  if (!openItem.value || !work.value.isSeen) return tell('See the key first (v).', true)
  const { before, question, options, key } = openItem.value
  const fixed = before?.fixed ?? {}
  const shownOptions = fixed.options && fixed.right === key.right ? fixed.options : options
  const texts = [fixed.question ?? question, ...(shownOptions ?? [fixed.answer ?? key.answer])]
  const { reasons = [], note = '' } = before ?? {}
  update({ panel: { texts, reasons, note, ...work.value.panel, isOpen: true, verdict } })
  if (verdict === 'fix' && fixed.clues) setMarks(fixed.clues)
}

export function updatePanel(changes: Partial<VerdictPanel>): void {
  const { panel } = work.value
  if (panel) update({ panel: { ...panel, ...changes } })
}

export const openedPanel = computed(() => (work.value.panel?.isOpen ? work.value.panel : undefined))

export const say = (verdict: 'keep' | 'fix' | 'drop') =>
  during(async () => {
    const { isSeen, answered, clues, sure, events, panel } = work.value
    if (!openItem.value || !isSeen) return tell('See the key first (v).', true)
    const { id, hash } = openItem.value
    const fixed = verdict === 'fix' && panel ? collectFix(openItem.value, panel.texts) : undefined
    if (fixed && Object.keys(fixed).length === 0) return tell('Nothing is changed. Change something, or keep it.', true)
    const { reasons = [], note = '' } = (verdict === 'keep' ? undefined : panel) ?? {}
    await store.say({
      item: id,
      itemHash: hash,
      seconds: seconds.value,
      verdict,
      reasons: [...reasons] as ReviewVerdict['reasons'],
      ...(answered !== undefined && { answered }),
      ...(clues.length > 0 && { clues: [...clues] }),
      ...(sure !== undefined && { confidence: sure }),
      ...(note.trim() && { note: note.trim() }),
      ...(fixed && { fixed }),
      ...(Object.keys(events).length > 0 && { events }),
    })
    show(await store.next(filter.value))
  })

function collectFix(
  { question, options, key }: ItemView,
  texts: readonly string[],
): NonNullable<ReviewVerdict['fixed']> {
  const [newQuestion, ...others] = texts.map(text => text.trim())
  return {
    ...(newQuestion !== question && { question: newQuestion }),
    ...(options && others.some((other, at) => other !== options[at]) && { options: others, right: key.right }),
    ...(!options && others[0] !== key.answer && { answer: others[0] }),
    ...(markedSpans.value.length > 0 && { clues: [...markedSpans.value] }),
  }
}
