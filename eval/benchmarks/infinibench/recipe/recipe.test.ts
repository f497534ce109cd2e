import { describe, expect, test } from 'vitest'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffle } from '../../../data/deck.ts'
import { dealLetters } from '../../../make/set/deal-letters.ts'
import { parseLiteral } from '../../../python/literal.ts'
import { duplicates } from '../../../recipes/checks/duplicates.ts'
import { shallow, shallowScores } from '../../../recipes/checks/shallow.ts'
import type { CheckGiven, DraftItem, ItemSighting, SourceRecord } from '../../../recipes/item.ts'
import { textRows } from '../../../recipes/texts.ts'
import { infiniBenchRecord } from '../record.ts'
import infinibench from './index.ts'
import type { Entry, ListEntry, ListedPerson } from './lists.ts'
import { dontKnow, orderOptions, personOptions } from './orders.ts'
import { chronological, differing, type ItemDraft, mostChronological, ofPeople, writeQuestions } from './questions.ts'

const words =
  'amber birch cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north ocean piers quarry ridge shore tower'.split(
    ' ',
  )
const verbs = 'finds loses hides paints opens burns mends sells lifts drops washes folds'.split(' ')

// So many entries that differ, drawn for what is named.
function entriesFor(count: number, ...what: unknown[]): Entry[] {
  const random = drawFor(7, ...what)
  const draw = (from: readonly string[]) => from[Math.floor(random() * from.length)]
  const texts = new Set<string>()
  while (texts.size < count) texts.add(`${draw(verbs)} the ${draw(words)} ${draw(words)}`)
  return [...texts].map((text, at) => ({ text, rows: [`r${at}`] }))
}

const record = (video: string, more: Partial<SourceRecord> = {}): SourceRecord => ({
  video_id: video,
  video: `${video}.mp4`,
  segments: [],
  rows: [],
  meta: {},
  statistics: { segments: 0, duration: 600, fps: 25, frames: 15_000, rows: 0 },
  ...more,
})

function textsOf({ options = [] }: ItemDraft): string[] {
  return options.map(option => option.toLowerCase())
}

describe('options', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of a list of %i no two are equal, one is right, and seeds reproduce', length => {
    for (let seed = 0; seed < 40; seed++) {
      const list = entriesFor(length, 'list', seed).map(({ text }) => text)
      const others = [3, 5, 8].map(count => entriesFor(count, 'other', seed, count).map(({ text }) => text))
      for (const count of [5, 6])
        for (const found of [
          orderOptions(list, count, drawFor(seed, 'order')),
          personOptions(list, others, count, drawFor(seed, 'person')),
        ]) {
          if (!found) {
            expect(length).toBe(1)
            continue
          }
          const texts = found.options.map(option => option.join(', '))
          expect(new Set(texts).size).toBe(texts.length)
          expect(found.options[found.right]).toEqual(list)
          expect(texts).toContain(dontKnow)
          if (length >= 3) expect(texts).toHaveLength(count)
        }
      expect(personOptions(list, others, 6, drawFor(seed, 'x'))).toEqual(
        personOptions(list, others, 6, drawFor(seed, 'x')),
      )
    }
  })

  test('of two entries there is one wrong order; of one entry nothing is asked without another list', () => {
    expect(orderOptions(['a', 'b'], 6, drawFor(1, 'x'))?.options).toHaveLength(3)
    expect(orderOptions(['a'], 6, drawFor(1, 'x'))).toBeUndefined()
    expect(orderOptions(['a', 'a', 'a'], 6, drawFor(1, 'x'))).toBeUndefined()
    expect(personOptions(['a'], [], 6, drawFor(1, 'x'))).toBeUndefined()
    expect(personOptions(['wears red'], [['wears blue', 'wears black']], 6, drawFor(1, 'x'))?.options).toHaveLength(3)
  })
})

describe('chronological questions', () => {
  test.each([1, 2, 3, 4, 5, 8, 20])('of %i events: as many as the skill allows, 27 at most', count => {
    const drafts = chronological(entriesFor(count, 'events'), 6, drawFor(3, 'c'))
    const yesNo = drafts.filter(({ options }) => options?.length === 2)
    const pairs = Math.min(5, (count * (count - 1)) / 2)
    const runs = [3, 4].reduce((sum, size) => sum + (count > size ? Math.min(3, count - size + 1) : 0), 0)
    expect(drafts).toHaveLength(Number(count >= 3) + runs + 4 * pairs)
    expect(yesNo.filter(({ answer }) => answer === 'Yes')).toHaveLength(2 * pairs)
    expect(drafts.length).toBeLessThanOrEqual(mostChronological)
    expect(mostChronological).toBe(27)
    for (const draft of drafts) expect(new Set(textsOf(draft)).size).toBe(draft.options?.length)
  })

  test('yes and no follow from the order, and all four wordings stay beside one another', async () => {
    const events = [
      { text: 'Ida crosses the river', rows: ['a'] },
      { text: 'Omar rings the bell', rows: ['b'] },
    ]
    const drafts = chronological(events, 6, drawFor(1, 'y'))
    expect(drafts.map(({ question, answer }) => [question, answer])).toEqual([
      ['Does this happen: "Ida crosses the river", before this: "Omar rings the bell"?', 'Yes'],
      ['Does this happen: "Omar rings the bell", before this: "Ida crosses the river"?', 'No'],
      ['Does this happen: "Ida crosses the river", after this: "Omar rings the bell"?', 'No'],
      ['Does this happen: "Omar rings the bell", after this: "Ida crosses the river"?', 'Yes'],
    ])
    const items = drafts.map((draft, at): DraftItem => ({ id: `v_q${at}`, video: 'v', ...draft }))
    const given = { seed: 1, thresholds: {}, signal: new AbortController().signal } as unknown as CheckGiven
    expect((await duplicates.run(items, given)).map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass', 'pass'])
    expect((await duplicates.run([...items, { ...items[3]!, id: 'v_q9' }], given)).at(-1)?.outcome).toBe('reject')
  })

  test('an event that says the same as one before is left out; of many, twenty are spread over the film', () => {
    const many = entriesFor(50, 'many')
    expect(differing([...many, many[3]!])).toHaveLength(20)
    expect(differing(many)[0]).toBe(many[0])
    expect(differing(many).at(-1)?.text).toBe(many[47]?.text)
  })
})

// Sets of films with events, places and people, as the recipe makes them.
function generated(videos: number, peopleOf: (video: number) => ListedPerson[]): DraftItem[] {
  const all = Array.from({ length: videos }, (_, at) => {
    const lists: ListEntry[] = [
      { list: 'events', entries: entriesFor(12, at, 'events') },
      { list: 'places', entries: entriesFor(6, at, 'places') },
      { list: 'actions', people: peopleOf(at) },
    ]
    return writeQuestions(record(`film${at}`), lists, 6, 5).map(
      (draft, place): DraftItem => ({
        id: `film${at}_q${String(place).padStart(3, '0')}`,
        video: `film${at}`,
        ...draft,
      }),
    )
  })
  return dealLetters(all.flat(), 9)
}

const fivePeople = (at: number) =>
  Array.from(
    { length: 5 },
    (_, who): ListedPerson => ({ name: `P${who}`, entries: entriesFor(1 + ((at + who) % 8), at, 'person', who) }),
  )
const warningsOf = (items: DraftItem[]) => shallow.warnings!(items, { thresholds: {} } as CheckGiven)

describe('what options give away', () => {
  test('nothing, to any solver, in 500 generated questions and in 500 on people alone', () => {
    const items = generated(16, fivePeople)
    expect(items.slice(0, 500)).toHaveLength(500)
    expect(warningsOf(items.slice(0, 500))).toEqual([])
    const people = generated(110, fivePeople).filter(({ extra }) => extra.person !== undefined)
    expect(people.length).toBeGreaterThanOrEqual(500)
    expect(warningsOf(people.slice(0, 500))).toEqual([])
  })

  test('the fixed pools of the release are told: a list of the pool is the odd one out', () => {
    const pool = [1, 2, 3, 4, 5, 6].map(at => entriesFor(8, 'pool', at).map(({ text }) => text))
    const people = Array.from({ length: 500 }, (_, at) => {
      const list = entriesFor(4, at, 'own').map(({ text }) => text)
      const { options } = orderOptions(list, 5, drawFor(at, 'pooled'))!
      const foreign = pool[at % pool.length]!.slice(0, 4)
      const all = shuffle(
        [...options, foreign].map(option => option.join(', ')),
        drawFor(at, 'place'),
      )
      const answer = list.join(', ')
      return {
        id: `p${at}`,
        video: `v${at}`,
        kind: 'character_actions',
        question: 'What is done?',
        answer,
        options: all,
        right: all.indexOf(answer),
        clues: [],
        rows: [],
        extra: {},
      }
    })
    const told = shallowScores(dealLetters(people, 3)).find(({ solver }) => solver === 'nearest')
    expect(told?.p).toBeLessThan(0.05)
    expect(warningsOf(dealLetters(people, 3)).join('\n')).toContain('"nearest"')
  })

  test('a list of another person is as long, of other entries, and about as many words', () => {
    const people: ListedPerson[] = [
      { name: 'Ida', entries: entriesFor(3, 'ida') },
      { name: 'Omar', entries: entriesFor(5, 'omar') },
    ]
    const [ida] = ofPeople('character_actions', ['What does {name} do?'], people, 6, drawFor(2, 'p'))
    const others = new Set(people[1]!.entries.map(({ text }) => text))
    const lists = ida!.extra.lists as string[][]
    expect(ida?.question).toBe('What does Ida do?')
    expect(lists.filter(list => list.length === 3 && list.every(entry => others.has(entry))).length).toBeGreaterThan(0)
    expect(lists.every(list => list.length === 3 || list[0] === dontKnow)).toBe(true)
  })
})

test('where no other person of the film fits, a wrong list is of a person of another video, and else not', () => {
  const ida: ListedPerson = { name: 'Ida', entries: entriesFor(3, 'ida') }
  const omar: ListedPerson = { name: 'Omar', entries: entriesFor(4, 'omar') }
  const eve: ListedPerson = { name: 'Eve', entries: entriesFor(3, 'eve') }
  const found = (people: ListedPerson[]): ListEntry => ({ list: 'actions', people })
  const foreignIn = (own: ListedPerson[], elsewhere: ListedPerson[], of: ListedPerson) =>
    writeQuestions(record('film'), [found(own)], 6, 3, [found(elsewhere)])
      .filter(({ extra }) => extra.person === 'Ida')
      .flatMap(({ extra }) => extra.lists as string[][])
      .filter(list => list.every(entry => of.entries.some(({ text }) => text === entry)))
  expect(foreignIn([ida], [], eve)).toHaveLength(0)
  expect(foreignIn([ida], [eve], eve).length).toBeGreaterThan(0)
  expect(foreignIn([ida, omar], [eve], omar).length).toBeGreaterThan(0)
  expect(foreignIn([ida, omar], [eve], eve)).toHaveLength(0)
})

describe('what people wrote', () => {
  const texts = textRows({ summary: 'Ida builds a boat.', faq: [{ q: 'Why does it sink?', a: 'It has a hole.' }] })

  test('the summary is asked for once, questions and answers stay as they are, and none is made up', () => {
    const drafts = writeQuestions(record('film', { texts }), [], 6, 1)
    expect(drafts.map(({ kind, answer, rows }) => [kind, answer, rows])).toEqual([
      ['summarization', 'Ida builds a boat.', ['about.summary']],
      ['spoiler_questions', 'It has a hole.', ['about.faq.1']],
    ])
    expect(drafts[1]?.question).toBe('Why does it sink?')
    expect(writeQuestions(record('film'), [], 6, 1)).toEqual([])
  })
})

describe('what the card says of appearance', () => {
  const on = { faces: 'faces/onnx', detect: 'detect/owl', embedImage: 'embed/onnx' }
  const look = { time: 3, box: { x: 0, y: 0, width: 1, height: 1 } }
  const ida = { name: 'Ida', appears: [[0, 6]] as [number, number][], looks: [look] }
  const seen = (video: string, people: ItemSighting[], by = on) =>
    record(video, { sightings: { key: video, by, people } })
  const gaps = (...records: SourceRecord[]) => infinibench.gaps?.(records, false)

  test('nothing where each is seen, or a role is off, which it says among what was not run', () => {
    expect(gaps(seen('a', [ida]))).toEqual([])
    expect(gaps(seen('a', [], { ...on, faces: 'off' }))).toEqual([])
  })

  test('videos without a picture or a sight of people, and people without a body around the face', () => {
    const omar = { ...ida, name: 'Omar', looks: [] }
    expect(gaps(seen('a', [ida, omar]), seen('b', []), record('c'))).toEqual([
      expect.stringMatching(
        /appearance on 2 of 3 videos: they have no X\.about\.json with pictures of people, or none/,
      ),
      expect.stringContaining('what 1 of 2 people wear: models.detect found nobody around the face'),
    ])
  })
})

describe('the files', () => {
  test('one a skill, options as lists, the right one counted from 0, and read as it was meant', () => {
    const items = generated(1, fivePeople).slice(0, 6)
    const [file] = infinibench.write({
      items,
      records: [record('film0')],
      videoFiles: new Map([['film0', 'film0.mp4']]),
      canary: 'canary',
      settings: { minMinutes: 0, options: 6, alike: 0.6, segments: 'covering' },
    })
    expect(file?.path).toBe('made/skills_json/choronological_understanding.json')
    const rows = JSON.parse(file!.content)
    const listed = rows[0].options[rows[0].answer_idx]
    expect(listed).toHaveLength(12)
    const read = infiniBenchRecord(parseLiteral(JSON.stringify(rows[0])), undefined, 'file', 0)
    expect(read).toMatchObject({ id: items[0]?.id, skill: 'choronological_understanding', video: 'videos/film0.mp4' })
    expect(read.options?.[Number(read.right)]).toBe(items[0]?.answer)
  })
})
