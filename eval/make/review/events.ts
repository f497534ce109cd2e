import { mergeSpans } from '../../../src/core/time.ts'
import { type DraftItem, type ItemInterval, toIntervals, toSpans } from '../../recipes/item.ts'
import type { LineByReviewer, Reviews } from './queue.ts'
import type { EventMark } from './verdict.ts'

// What people say of the events that answers rest on, each by its text. What is said of one holds in all questions of the video
// that have it.

export type MarkOf = (item: DraftItem, event: string) => EventMark | undefined

const keyOf = ({ video, events }: DraftItem, event: string) => JSON.stringify([video, events?.of, event])

// The newest mark of each person; those of one person only if that is asked. An event is absent where half of the people or
// more say so; else it happens when the newest mark says.
export function eventMarks(items: readonly DraftItem[], reviews: Reviews, of?: string): MarkOf {
  const eventLines = items.flatMap(item =>
    [...reviews.of(item.id).values()].flatMap(({ reviewer, at, events = {} }) =>
      Object.entries(events).map(([event, mark]) => ({ key: keyOf(item, event), reviewer, at, mark })),
    ),
  )
  const marks = new Map<string, Map<string, EventMark>>() // of each person, the newest last
  for (const { key, reviewer, mark } of eventLines.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    if (of !== undefined && reviewer !== of) continue
    const people = marks.get(key) ?? new Map<string, EventMark>()
    people.delete(reviewer)
    marks.set(key, people.set(reviewer, mark))
  }
  return (item, event) => {
    const all = [...(marks.get(keyOf(item, event))?.values() ?? [])]
    const seen = all.filter(mark => mark !== 'absent')
    return all.length === 0 ? undefined : 2 * seen.length > all.length ? seen.at(-1) : 'absent'
  }
}

// Why a question goes by what is known of its events: one of them is not in the video, or they come in another order, or together.
export function faultOfEvents(item: DraftItem, markOf: MarkOf): 'not-in-video' | 'wrong-answer' | undefined {
  const marks = (item.events?.list ?? []).map(event => markOf(item, event))
  if (marks.includes('absent')) return 'not-in-video'
  const starts = marks.filter(isTimed).map(startOf)
  return starts.some((start, at) => at > 0 && start <= (starts[at - 1] ?? 0)) ? 'wrong-answer' : undefined
}

// When each of its events happens; undefined if people have not said so of all.
export function eventTimes(item: DraftItem, markOf: MarkOf): ItemInterval[][] | undefined {
  const marks = item.events?.list.map(event => markOf(item, event))
  return marks?.every(isTimed) ? marks : undefined
}

// What people who would not drop a question without events gave as its time: the newest fix that has one, else the newest mark.
export function cluesSaid(held: LineByReviewer): ItemInterval[] | undefined {
  const lines = [...held.values()].filter(({ verdict }) => verdict !== 'drop').sort((a, b) => (a.at < b.at ? 1 : -1))
  const clueLists = [...lines.map(({ fixed }) => fixed?.clues), ...lines.map(({ clues }) => clues)]
  return clueLists.find(clues => clues !== undefined && clues.length > 0)
}

// The stretches that have to be seen for an answer: what is shorter than 0.1 s is left out, what lies within 5 s is one.
export function mergeCertificate(times: readonly ItemInterval[]): ItemInterval[] {
  return toIntervals(mergeSpans(toSpans(times.filter(([start, end]) => end - start >= 0.1)), 5))
}

const isTimed = (mark: EventMark | undefined): mark is ItemInterval[] => mark !== undefined && mark !== 'absent'
const startOf = (times: readonly ItemInterval[]) => Math.min(...times.map(([start]) => start))
