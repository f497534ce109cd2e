import { drawFor } from '../../../../src/core/basics/draws.ts'
import { pick, shuffled } from '../../../data/deck.ts'
import { jaccard, plainWords } from '../../../make/checks/parts/words.ts'
import type { DraftItem, SourceRecord } from '../../../make/item.ts'
import { cluesOf } from '../../../make/rules/draft-by-rules.ts'
import type { Found, Person } from './lists.ts'
import { type Entry, joined, type ListOptions, orderOptions, personOptions } from './orders.ts'
import phrasings from './phrasings.json' with { type: 'json' }

export type Draft = Omit<DraftItem, 'id' | 'video'>
type Random = () => number
export const appearance = 'global_appearance' // of its outfits no row tells
export const chronology = 'choronological_understanding'

export const most = { events: 20, order: 1, runs: 6, pairs: 5, open: 20 }
export const mostChronological = most.order + most.runs + 4 * most.pairs

// All questions that the lists of one video allow, with wrong ones from `elsewhere`, the other videos of the set; the same seed
// gives the same.
export function questionsOf(
  record: SourceRecord,
  lists: readonly Found[],
  options: number,
  seed: number,
  elsewhere: readonly Found[] = [],
): Draft[] {
  const random = drawFor(seed, 'infinibench', record.video_id)
  const of = (name: Found['list']) => lists.find(({ list }) => list === name)
  const entries = (name: Found['list']) => of(name)?.entries ?? []
  const open = (name: Found['list']) => of(name)?.asked ?? []
  const peopleIn = (name: Found['list'], all: readonly Found[]) =>
    all.flatMap(({ list, people = [] }) => (list === name ? people : []))
  const acted = (kind: string, name: 'actions' | 'outfits') =>
    ofPeople(kind, phrasings[name], peopleIn(name, lists), options, random, peopleIn(name, elsewhere))
  const drafts = [
    ...chronological(differing(entries('events')), options, random),
    ...asOrder('scene_transitions', phrasings.places, entries('places'), options, random),
    ...acted('character_actions', 'actions'),
    ...acted(appearance, 'outfits'),
    ...open('deep').map(asked => openOf('deep_context_understanding', asked)),
    ...open('linking').map(asked => openOf('linking_multiple_events', asked)),
    ...asGiven(record, random),
  ]
  return drafts.map(draft => (draft.kind === appearance ? draft : { ...draft, clues: cluesOf(record, draft.rows) }))
}

// Events that say something else than those before; of more than twenty, twenty spread over the film.
export function differing(entries: readonly Entry[]): Entry[] {
  const kept: { entry: Entry; words: ReadonlySet<string> }[] = []
  for (const entry of entries) {
    const words = new Set(plainWords(entry.text))
    if (words.size > 0 && kept.every(other => jaccard(words, other.words) < 0.8)) kept.push({ entry, words })
  }
  const count = Math.min(most.events, kept.length)
  return Array.from({ length: count }, (_, at) => kept[Math.floor((at * kept.length) / count)]!.entry)
}

// One question on the whole order, up to six on runs of three and four neighbours, up to five pairs in four wordings of yes and no.
export function chronological(events: readonly Entry[], options: number, random: Random): Draft[] {
  const whole = events.length >= 3 ? asOrder(chronology, phrasings.whole, events, options, random) : []
  const runs = [3, 4].flatMap(size => {
    const starts = Array.from({ length: Math.max(0, events.length - size + 1) }, (_, at) => at)
    const drawn = events.length > size ? shuffled(starts, random).slice(0, most.runs / 2) : []
    return drawn.flatMap(at => asOrder(chronology, phrasings.run, events.slice(at, at + size), options, random))
  })
  const all = events.flatMap((_, early) =>
    events.slice(early + 1).map((_, at): [number, number] => [early, early + 1 + at]),
  )
  const pairs = shuffled(all, random).slice(0, most.pairs)
  return [...whole, ...runs, ...pairs.flatMap(([early, late]) => yesNo(events[early]!, events[late]!, [early, late]))]
}

function yesNo(early: Entry, late: Entry, pair: [number, number]): Draft[] {
  const asked = (first: Entry, word: string, second: Entry, answer: 'Yes' | 'No'): Draft => ({
    ...{ kind: chronology, question: `Does this happen: "${first.text}", ${word} this: "${second.text}"?` },
    ...{ answer, options: ['Yes', 'No'], right: answer === 'Yes' ? 0 : 1 },
    ...{ rows: rowsOf([early, late]), clues: [], extra: { phrasings: pair.join('-') } },
    events: { of: chronology, list: [early.text, late.text] },
  })
  return [
    asked(early, 'before', late, 'Yes'),
    asked(late, 'before', early, 'No'),
    asked(early, 'after', late, 'No'),
    asked(late, 'after', early, 'Yes'),
  ]
}

function asOrder(
  kind: string,
  wordings: readonly string[],
  entries: readonly Entry[],
  count: number,
  random: Random,
): Draft[] {
  const list = entries.map(({ text }) => text)
  const found = orderOptions(list, count, random)
  if (!found) return []
  const wrong = found.options.find((option, at) => at !== found.right && option.length === list.length) ?? []
  return [listDraft(kind, wordings, { list: joined(wrong) }, list, rowsOf(entries), found, random)]
}

// One question a person: lists of the other people are the wrong ones that are not told by their order; where none of the film
// fits, those of people of other videos.
export function ofPeople(
  kind: string,
  wordings: readonly string[],
  people: readonly Person[],
  count: number,
  random: Random,
  strangers: readonly Person[] = [],
): Draft[] {
  const listOf = ({ entries }: Person) => entries.map(({ text }) => text)
  return people.flatMap(person => {
    const list = listOf(person)
    const others = people.filter(other => other !== person).map(listOf)
    const found = personOptions(list, others, count, random, strangers.map(listOf))
    if (!found) return []
    const { name, entries, appears = [] } = person
    const draft = listDraft(kind, wordings, { name }, list, rowsOf(entries), found, random)
    const from = entries.flatMap(({ text, from }) => (from === undefined ? [] : [[text, from]]))
    const extra = { ...draft.extra, person: name, ...(from.length > 0 && { from }) }
    return [{ ...draft, clues: appears, events: { of: `${kind}: ${name}`, list: apart(list) }, extra }]
  })
}

// An entry that comes again is told apart by its place: each is another event.
function apart(list: readonly string[]): string[] {
  return list.map((text, at) => {
    const nth = list.slice(0, at + 1).filter(other => other === text).length
    return nth > 1 ? `${text} (${nth})` : text
  })
}

export function listDraft(
  kind: string,
  wordings: readonly string[],
  slots: Record<string, string>,
  list: readonly string[],
  rows: string[],
  { options, right }: ListOptions,
  random: Random,
): Draft {
  const question = pick(wordings, random).replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '')
  const draft = { kind, question, answer: joined(list), options: options.map(joined), right, rows, clues: [] }
  return { ...draft, events: { of: kind, list: apart(list) }, extra: { lists: options } }
}

function openOf(kind: string, { question, answer, rows }: { question: string; answer: string; rows: string[] }): Draft {
  return { kind, question, answer, rows, clues: [], extra: {} }
}

// What people wrote of the film: questions with answers as they are, and its summary for one of fourteen wordings.
function asGiven({ texts = [] }: SourceRecord, random: Random): Draft[] {
  return texts.flatMap(({ id, text }): Draft[] => {
    if (id === 'about.summary')
      return [openOf('summarization', { question: pick(phrasings.summary, random), answer: text, rows: [id] })]
    const [question = '', ...answer] = text.split('\n')
    return id.startsWith('about.faq.')
      ? [openOf('spoiler_questions', { question, answer: answer.join('\n'), rows: [id] })]
      : []
  })
}

function rowsOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ rows }) => rows))]
}
