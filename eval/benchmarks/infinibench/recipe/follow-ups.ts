import { drawFor } from '../../../../src/core/basics/draws.ts'
import { groupBy } from '../../../../src/core/basics/group-by.ts'
import { pick, shuffle } from '../../../data/deck.ts'
import { fillTemplate } from '../../../protocols/fill-template.ts'
import type { ItemInterval } from '../../../recipes/item.ts'
import type { FollowUp, TimedItem } from '../../../recipes/recipe.ts'
import type { Entry } from './lists.ts'
import { joinItems, personOptions } from './orders.ts'
import phrasings from './phrasings.json' with { type: 'json' }
import { chronology, evidenceRows, type ItemDraft, listDraft, listEntryTexts } from './questions.ts'

const perSide = 2 // questions of a list

interface Timed extends Entry {
  label: string // of the event that it is
  times: ItemInterval[]
}

// Of each list whose entries all have times of people: what is over before an event, or begins after it. An entry that overlaps
// the event is in neither.
export function followUps(timed: readonly TimedItem[], options: number, seed: number): FollowUp[] {
  return [...groupBy(timed, ({ item }) => item.video)].flatMap(([video, own]) => {
    const chronologyEntries = own.filter(({ item }) => item.kind === chronology).flatMap(listEntries)
    const events = [...new Map(chronologyEntries.map(event => [event.label, event])).values()]
    return own
      .flatMap(list => aroundEvents(list, events, options, seed).map(draft => ({ draft, from: list.item })))
      .map(({ draft, from }, at) => ({
        item: { id: `${video}_f${String(at + 1).padStart(3, '0')}`, video, ...draft },
        from,
      }))
  })
}

function listEntries({ item: { events, answer, extra, rows }, times }: TimedItem): Timed[] {
  const texts = (extra.lists as string[][] | undefined)?.find(list => joinItems(list) === answer)
  return times.map((times, at) => {
    const label = events?.list[at] ?? ''
    return { text: texts?.[at] ?? label, label, rows, times }
  })
}

function aroundEvents(list: TimedItem, events: readonly Timed[], options: number, seed: number): ItemDraft[] {
  const { kind, id, events: of, extra } = list.item
  const random = drawFor(seed, 'infinibench', id)
  const entries = listEntries(list)
  const drawn = shuffle(events, random)
  return (['before', 'after'] as const).flatMap(side => {
    const wordings: readonly string[] | undefined = phrasings[`${kind} ${side}` as keyof typeof phrasings]
    if (!wordings) return []
    const drafts = drawn.flatMap((event): ItemDraft[] => {
      const sideEntries = entries.filter(entry => (side === 'before' ? isOver(entry, event) : isOver(event, entry)))
      const otherEntries = entries.filter(entry => !sideEntries.includes(entry))
      const choices =
        sideEntries.length < 2
          ? undefined
          : personOptions(listEntryTexts(sideEntries), [listEntryTexts(otherEntries)], options, random)
      if (!choices) return []
      const slots = { event: event.text, name: String(extra.person ?? '') }
      const draft = listDraft(kind, fillTemplate(pick(wordings, random), slots), sideEntries, choices)
      const clues = [event, ...sideEntries].flatMap(({ times }) => times)
      const about = { of: of?.of ?? kind, list: sideEntries.map(({ label }) => label) }
      const person = extra.person !== undefined && { person: extra.person }
      const rows = evidenceRows([...sideEntries, event])
      return [{ ...draft, rows, clues, events: about, extra: { ...draft.extra, ...person } }]
    })
    return drafts.slice(0, perSide)
  })
}

function isOver(one: Timed, when: Timed): boolean {
  return Math.max(...one.times.map(([, end]) => end)) <= Math.min(...when.times.map(([start]) => start))
}
