import { drawFor } from '../../../../src/core/basics/draws.ts'
import { pick, shuffle } from '../../../data/deck.ts'
import { fillTemplate } from '../../../protocols/fill-template.ts'
import { jaccard, plainWords } from '../../../recipes/checks/parts/words.ts'
import type { DraftItem, SourceRecord } from '../../../recipes/item.ts'
import { clueIntervals } from '../../../recipes/rules/draft-by-rules.ts'
import type { Random } from '../../../recipes/rules/wrong-answers.ts'
import type { Entry, ListEntry, ListedPerson } from './lists.ts'
import { joinItems, type ListOptions, type OrderedList, orderOptions, personOptions } from './orders.ts'
import phrasings from './phrasings.json' with { type: 'json' }

export type ItemDraft = Omit<DraftItem, 'id' | 'video'>
export const appearance = 'global_appearance' // of its outfits no row tells
export const chronology = 'choronological_understanding'

const most = { events: 20, runs: 6, pairs: 5 }
export const mostChronological = 1 + most.runs + 4 * most.pairs

// All questions that the lists of one video allow, with wrong ones from `elsewhere`, the other videos of the set; the same seed
// gives the same.
export function writeQuestions(
  record: SourceRecord,
  lists: readonly ListEntry[],
  options: number,
  seed: number,
  elsewhere: readonly ListEntry[] = [],
): ItemDraft[] {
  const random = drawFor(seed, 'infinibench', record.video_id)
  const of = (name: ListEntry['list'], all = lists) => all.filter(({ list }) => list === name)
  const entries = (name: ListEntry['list']) => of(name).flatMap(({ entries = [] }) => entries)
  const open = (name: ListEntry['list']) => of(name).flatMap(({ asked = [] }) => asked)
  const people = (name: ListEntry['list'], all = lists) => of(name, all).flatMap(({ people = [] }) => people)
  const acted = (name: ListEntry['list'], kind: 'character_actions' | typeof appearance) =>
    ofPeople(kind, phrasings[kind], people(name), options, random, people(name, elsewhere))
  const drafts = [
    ...chronological(differing(entries('events')), options, random),
    ...asOrder('scene_transitions', phrasings.scene_transitions, entries('places'), options, random),
    ...acted('actions', 'character_actions'),
    ...acted('outfits', appearance),
    ...open('deep').map(asked => buildOpenDraft('deep_context_understanding', asked)),
    ...open('linking').map(asked => buildOpenDraft('linking_multiple_events', asked)),
    ...asGiven(record, random),
  ]
  return drafts.map(draft =>
    draft.kind === appearance ? draft : { ...draft, clues: clueIntervals(record, draft.rows) },
  )
}

// Events that say something else than those before; of more than twenty, twenty spread over the film.
export function differing(entries: readonly Entry[]): Entry[] {
  const distinctEntries: { entry: Entry; words: ReadonlySet<string> }[] = []
  for (const entry of entries) {
    const words = new Set(plainWords(entry.text))
    if (words.size > 0 && distinctEntries.every(other => jaccard(words, other.words) < 0.8))
      distinctEntries.push({ entry, words })
  }
  const every = Math.max(1, distinctEntries.length / most.events)
  const count = Math.min(most.events, distinctEntries.length)
  return Array.from({ length: count }, (_, at) => distinctEntries[Math.floor(at * every)]!.entry)
}

// One question on the whole order, up to six on runs of three and four neighbours, up to five pairs in four wordings of yes and no.
export function chronological(events: readonly Entry[], options: number, random: Random): ItemDraft[] {
  const whole = events.length >= 3 ? asOrder(chronology, phrasings.whole, events, options, random) : []
  const runs = [3, 4].flatMap(size => {
    const all = events.map((_, at) => events.slice(at, at + size)).filter(({ length }) => length === size)
    const drawn = all.length > 1 ? shuffle(all, random).slice(0, most.runs / 2) : []
    return drawn.flatMap(run => asOrder(chronology, phrasings.run, run, options, random))
  })
  const pairs = events.flatMap((early, first) =>
    events.flatMap((late, second) => (first < second ? [{ early, late, pair: `${first}-${second}` }] : [])),
  )
  return [...whole, ...runs, ...shuffle(pairs, random).slice(0, most.pairs).flatMap(yesNo)]
}

function yesNo({ early, late, pair }: { early: Entry; late: Entry; pair: string }): ItemDraft[] {
  const yesNoDraft = (first: Entry, word: string, second: Entry, answer: 'Yes' | 'No'): ItemDraft => ({
    kind: chronology,
    question: `Does this happen: "${first.text}", ${word} this: "${second.text}"?`,
    answer,
    options: ['Yes', 'No'],
    right: answer === 'Yes' ? 0 : 1,
    rows: evidenceRows([early, late]),
    clues: [],
    extra: { phrasings: pair },
    events: { of: chronology, list: [early.text, late.text] },
  })
  return [
    yesNoDraft(early, 'before', late, 'Yes'),
    yesNoDraft(late, 'before', early, 'No'),
    yesNoDraft(early, 'after', late, 'No'),
    yesNoDraft(late, 'after', early, 'Yes'),
  ]
}

function asOrder(
  kind: string,
  wordings: OrderedList,
  entries: readonly Entry[],
  count: number,
  random: Random,
): ItemDraft[] {
  const choices = orderOptions(listEntryTexts(entries), count, random)
  if (!choices) return []
  const wrong = choices.options.find((option, at) => at !== choices.right && option.length === entries.length) ?? []
  return [listDraft(kind, fillTemplate(pick(wordings, random), { list: joinItems(wrong) }), entries, choices)]
}

// One question a person: lists of the other people are the wrong ones that are not told by their order; where none of the film
// fits, those of people of other videos.
export function ofPeople(
  kind: string,
  wordings: OrderedList,
  people: readonly ListedPerson[],
  count: number,
  random: Random,
  strangers: readonly ListedPerson[] = [],
): ItemDraft[] {
  const listsOf = (all: readonly ListedPerson[]) => all.map(({ entries }) => listEntryTexts(entries))
  return people.flatMap(person => {
    const { name, entries, appears = [] } = person
    const otherLists = listsOf(people.filter(other => other !== person))
    const personChoices = personOptions(listEntryTexts(entries), otherLists, count, random, listsOf(strangers))
    if (!personChoices) return []
    const from = entries.flatMap(({ text, from }) => (from === undefined ? [] : [[text, from]]))
    const draft = listDraft(kind, fillTemplate(pick(wordings, random), { name }), entries, personChoices)
    const events = { ...draft.events, of: `${kind}: ${name}` }
    const extra = { ...draft.extra, person: name, ...(from.length > 0 && { from }) }
    return [{ ...draft, clues: appears, events, extra }]
  })
}

// A question whose answer is the list of these entries.
export function listDraft(kind: string, question: string, entries: readonly Entry[], found: ListOptions) {
  const list = listEntryTexts(entries)
  const options = found.options.map(joinItems)
  const draft = {
    kind,
    question,
    answer: joinItems(list),
    options,
    right: found.right,
    rows: evidenceRows(entries),
    clues: [],
  }
  return { ...draft, events: { of: kind, list: apart(list) }, extra: { lists: found.options } }
}

// An entry that comes again is told apart by its place: each is another event.
function apart(list: OrderedList): string[] {
  return list.map((text, at) => {
    const nth = list.slice(0, at + 1).filter(other => other === text).length
    return nth > 1 ? `${text} (${nth})` : text
  })
}

function buildOpenDraft(kind: string, asked: { question: string; answer: string; rows: string[] }): ItemDraft {
  return { kind, ...asked, clues: [], extra: {} }
}

// What people wrote of the film: questions with answers as they are, and its summary for one of fourteen wordings.
function asGiven({ texts = [] }: SourceRecord, random: Random): ItemDraft[] {
  return texts.flatMap(({ id, text }) => {
    const rows = [id]
    if (id === 'about.summary')
      return buildOpenDraft('summarization', { question: pick(phrasings.summarization, random), answer: text, rows })
    const [question = '', ...answer] = text.split('\n')
    return id.startsWith('about.faq.')
      ? buildOpenDraft('spoiler_questions', { question, answer: answer.join('\n'), rows })
      : []
  })
}

export function evidenceRows(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ rows }) => rows))]
}

export function listEntryTexts(entries: readonly Entry[]): string[] {
  return entries.map(({ text }) => text)
}
