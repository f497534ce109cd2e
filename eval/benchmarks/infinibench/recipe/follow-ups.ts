import { drawFor } from '../../../../src/core/basics/draws.ts'
import { groupBy } from '../../../../src/core/basics/group-by.ts'
import { shuffled } from '../../../data/deck.ts'
import type { Interval } from '../../../make/item.ts'
import type { FollowUp, TimedItem } from '../../../make/recipe.ts'
import { joined, personOptions } from './orders.ts'
import phrasings from './phrasings.json' with { type: 'json' }
import { appearance, chronology, type Draft, listDraft } from './questions.ts'

const perSide = 2 // questions of a list

const lists = { scene_transitions: 'places', character_actions: 'actions', [appearance]: 'outfits' } as const

interface Timed {
  text: string
  label: string
  rows: string[]
  times: Interval[]
}

// Of each list whose entries all have times of people: what is over before an event, or begins after it. An entry that overlaps
// the event is in neither.
export function followUps(timed: readonly TimedItem[], options: number, seed: number): FollowUp[] {
  return [...groupBy(timed, ({ item }) => item.video)].flatMap(([video, own]) => {
    const known = own.filter(({ item }) => item.kind === chronology).flatMap(entriesOf)
    const events = [...new Map(known.map(event => [event.label, event])).values()]
    const drafts = own.flatMap(list =>
      aroundEvents(list, events, options, seed).map(draft => ({ draft, from: list.item })),
    )
    return drafts.map(({ draft, from }, at) => {
      const id = `${video}_f${String(at + 1).padStart(3, '0')}`
      return { item: { id, video, ...draft }, from }
    })
  })
}

function entriesOf({ item: { events, answer, extra, rows }, times }: TimedItem): Timed[] {
  const texts = (extra.lists as string[][] | undefined)?.find(list => joined(list) === answer)
  return times.map((times, at) => {
    const label = events?.list[at] ?? ''
    return { text: texts?.[at] ?? label, label, rows, times }
  })
}

function aroundEvents(list: TimedItem, events: readonly Timed[], options: number, seed: number): Draft[] {
  const { kind, id, events: of, extra } = list.item
  if (!(kind in lists)) return []
  const random = drawFor(seed, 'infinibench', id)
  const entries = entriesOf(list)
  const drawn = shuffled(events, random)
  return (['before', 'after'] as const).flatMap(side => {
    const drafts = drawn.flatMap((event): Draft[] => {
      const own = entries.filter(entry => isOn(side, entry, event))
      const texts = own.map(({ text }) => text)
      const others = entries.filter(entry => !own.includes(entry)).map(({ text }) => text)
      const found = own.length < 2 ? undefined : personOptions(texts, [others], options, random)
      if (!found) return []
      const slots = { event: event.text, name: String(extra.person ?? '') }
      const rows = [...new Set([...list.item.rows, ...event.rows])]
      const wordings = phrasings[`${lists[kind as keyof typeof lists]} ${side}`]
      const draft = listDraft(kind, wordings, slots, texts, rows, found, random)
      return [
        {
          ...draft,
          clues: [event, ...own].flatMap(({ times }) => times),
          events: { of: of?.of ?? kind, list: own.map(({ label }) => label) },
          extra: { ...draft.extra, ...(extra.person !== undefined && { person: extra.person }) },
        },
      ]
    })
    return drafts.slice(0, perSide)
  })
}

function isOn(side: 'before' | 'after', entry: Timed, event: Timed): boolean {
  const [first, last] = side === 'before' ? [entry, event] : [event, entry]
  const end = Math.max(...first.times.map(([, end]) => end))
  return end <= Math.min(...last.times.map(([start]) => start))
}
