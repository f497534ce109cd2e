import { describe, expect, test } from 'vitest'
import { clue } from '../../eval/recipes/checks/clue.ts'
import { grounded } from '../../eval/recipes/checks/grounded.ts'
import { options } from '../../eval/recipes/checks/options.ts'
import type { DraftItem, SourceRecord, SourceRow } from '../../eval/recipes/item.ts'
import { type AnswerCandidate, type Form, makeCandidates } from '../../eval/recipes/rules/candidates.ts'
import { draftByRules } from '../../eval/recipes/rules/draft-by-rules.ts'
import forms from '../../eval/recipes/rules/forms.json' with { type: 'json' }
import { drawFor } from '../../src/core/basics/draws.ts'
import { type ChatRequest, contentText } from '../../src/core/chat.ts'
import { given, oneSlide, records } from './checks/fixture.ts'

// Slides stand from 25 n for one of five lengths; nothing stands between them.
const even = records.talk as SourceRecord
const stand = [20, 15, 11, 8, 5]
const talk: SourceRecord = {
  ...even,
  rows: even.rows.map(({ span: { start, end }, ...row }) => ({
    ...row,
    span: { start, end: row.track === 'text' ? start + stand[(start / 25) % 5]! : end },
  })),
}
const negatives = { min: 4, max: 7 }

function withRows(...rows: (Partial<SourceRow> & Pick<SourceRow, 'id' | 'span' | 'text'>)[]): SourceRecord {
  const added = rows.map((row): SourceRow => ({ track: 'text', confidence: 0.95, ...row }))
  return { ...talk, rows: [...talk.rows, ...added].sort((a, b) => a.span.start - b.span.start) }
}

function candidates(form: Form, record = talk, seed = 1): AnswerCandidate[] {
  return makeCandidates(record, [form], drawFor(seed, 'test'))[0] ?? []
}

const asked = (form: Form, title: string, record?: SourceRecord) =>
  candidates(form, record).find(({ slots }) => slots.title === title)

test.each([
  ['a title without lines', { text: 'Coffee Break', span: { start: 46, end: 49.5 } }],
  ['a slide whose title is shown twice', { text: 'Rope Walk\nwidth: 8 metres', span: { start: 46, end: 49.5 } }],
  ['a text that could not be read', { text: 'Cof Bre', span: { start: 46, end: 49.5 }, confidence: 0.3 }],
])('no slide comes right after another where %s stands between', (_, row) => {
  const record = withRows({ id: 'between', ...row })
  expect(asked('after', 'Corn Mill')).toMatchObject({ answer: 'Glass House' })
  expect(asked('before', 'Glass House')).toMatchObject({ answer: 'Corn Mill' })
  expect(asked('after', 'Corn Mill', record)).toBeUndefined()
  expect(asked('before', 'Glass House', record)).toBeUndefined()
  expect(asked('after', 'Glass House', record)).toMatchObject({ answer: 'Tram Depot' })
})

test.each([
  ['for a moment', { span: { start: 46, end: 48 } }],
  ['and read badly', { span: { start: 46, end: 49.5 }, confidence: 0.3 }],
])('a title that is shown elsewhere too, %s, is asked for by no form', (_, row) => {
  const record = withRows({ id: 'again', text: 'rope  walk\nas before', ...row })
  const uses = (form: Form, of: SourceRecord) =>
    candidates(form, of).filter(({ slots }) => Object.values(slots).some(slot => slot.includes('Rope Walk')))
  for (const form of ['when', 'order', 'value'] as const) {
    expect(uses(form, talk)).toHaveLength(1)
    expect(uses(form, record)).toEqual([])
  }
  expect(uses('how far apart', record)).toEqual([])
  expect(uses('how long', record)).toEqual([])
})

test.each([
  ['its beginning', 'Flig'],
  ['a beginning that ends within a word', 'Flight t'],
  ['its end', 'ute late'],
])('a line that runs through is no title, nor is %s, which stands before it', (_, piece) => {
  const record = withRows(
    { id: 'piece', text: piece, span: { start: 200, end: 204 } },
    { id: 'line', text: 'Flight to Toronto a minute late', span: { start: 204, end: 209 } },
  )
  expect(asked('when', 'Rope Walk', record)).toBeDefined()
  expect(asked('when', piece, record)).toBeUndefined()
  expect(asked('when', 'Flight to Toronto a minute late', record)).toBeUndefined()
})

test('slides with a label are not counted where one more is seen that is no sure slide', () => {
  const many = withRows(
    ...['North Bank', 'South Bank'].map((title, at) => ({
      ...{ id: `lease${at}`, text: `${title}\nlease: ${at + 3} years` },
      span: { start: 21 + 25 * at, end: 24.5 + 25 * at },
    })),
  )
  const ofLease = (record: SourceRecord) =>
    candidates('how many', record).filter(({ slots }) => slots.label === 'lease')
  expect(ofLease(many)).toMatchObject([{ answer: '2' }])
  const twice = { text: 'East Bank\nlease: 9 years', track: 'text' as const, confidence: 0.95 }
  const rows = [
    ...many.rows,
    { id: 'e1', ...twice, span: { start: 71, end: 74.5 } },
    { id: 'e2', ...twice, span: { start: 171, end: 174.5 } },
  ]
  expect(ofLease({ ...many, rows })).toEqual([])
})

test('nothing is counted where a slide was read in part: it may have any line that was not read', () => {
  const banks = ['North Bank', 'South Bank', 'West Bank'].map((title, at) => ({
    ...{ id: `bank${at}`, text: `${title}\nlease: ${at + 3} years\nroom: ${at + 10}` },
    span: { start: 21 + 25 * at, end: 24.5 + 25 * at },
  }))
  const east = (text: string) =>
    candidates('how many', withRows(...banks, { id: 'east', text, span: { start: 96, end: 99.5 } }))
  expect(east('East Bank\nfloor: 9')).toHaveLength(1)
  expect(east('East Bank\nToday:\nfloor: 9')).toHaveLength(1)
  expect(east('East Bank\nfloor: 9\nroom:')).toEqual([])
})

describe.each(['how long', 'how many', 'how far apart'] as const)('%s', form => {
  test('the right number has every place among the options', () => {
    const record = withRows(
      ...[0, 1, 2, 3, 4, 5].map(at => ({
        ...{ id: `lease${at}`, text: `Bank ${'ABCDEF'[at]}x\nlease: ${at + 3} years` },
        span: { start: 21 + 25 * at, end: 24.5 + 25 * at },
      })),
    )
    const places = new Map<number, number>()
    for (let seed = 0; seed < 40; seed++)
      for (const { answer, wrong } of candidates(form, record, seed)) {
        if (Number.parseInt(answer, 10) < 5) continue // too small for four lower ones
        if (wrong.length < negatives.min) continue // it is not drafted
        const all = [answer, ...wrong].map(text => Number.parseInt(text, 10)).sort((a, b) => a - b)
        expect(new Set(all).size).toBe(5)
        const place = all.indexOf(Number.parseInt(answer, 10))
        places.set(place, (places.get(place) ?? 0) + 1)
      }
    const counts = [...places.values()]
    expect(places.size).toBe(5)
    const mean = counts.reduce((sum, one) => sum + one, 0) / 5
    for (const count of counts) expect(Math.abs(count - mean)).toBeLessThan(4 * Math.sqrt(mean))
  })
})

test('"one" of a spoken sentence is no number that is asked for', () => {
  const spoken = (id: string, start: number, text: string) => ({
    ...{ id, text, span: { start, end: start + 3 } },
    track: 'speech' as const,
  })
  const record = withRows(
    spoken('pronoun', 3, 'It stands in one of the largest halls.'),
    spoken('count', 17, 'They counted twenty one boats that day.'),
  )
  const values = candidates('spoken value', record).map(({ rows, answer }) => [rows[0], answer])
  expect(values.filter(([row]) => row === 'pronoun' || row === 'count')).toEqual([['count', '21']])
})

test('what lies on the moment too is no wrong answer', () => {
  const spoken = (id: string, start: number, end: number, text: string) => ({
    ...{ id, text, span: { start, end } },
    track: 'speech' as const,
  })
  const record = withRows(
    spoken('most', 3, 12, 'The old bridge was built twice here.'),
    spoken('rest', 17, 35, 'It was opened by the mayor that spring.'),
  )
  const [said] = candidates('said while shown', record).filter(({ slots }) => slots.title === 'Harbour Bridge')
  expect(said).toMatchObject({ answer: 'The old bridge was built twice here.' })
  expect(said?.wrong).not.toContain('It was opened by the mayor that spring.')
  const over = {
    ...record,
    rows: [...record.rows, { ...spoken('x', 130, 136, ''), text: 'Boats are sold on this quay now.' }],
  }
  const late = {
    id: 'late',
    text: 'Quay Notice',
    span: { start: 134.5, end: 149 },
    track: 'text' as const,
    confidence: 0.95,
  }
  const [shown] = candidates('shown while said', { ...over, rows: [...over.rows, late] }).filter(
    ({ slots }) => slots.said === 'Boats are sold on this quay now.',
  )
  expect(shown).toMatchObject({ answer: 'Fish Quay' })
  expect(shown?.wrong).not.toContain('Quay Notice')
})

// Every question of the rules is sound by form: K2 and K4 stop none for its wording.
test.each(Object.keys(forms) as Form[])('a question of the form "%s" is not stopped for its own words', async form => {
  const record = withRows(
    ...[0, 1, 2].map(at => ({
      ...{ id: `lease${at}`, text: `Bank ${'ABC'[at]}x\nlease: ${at + 3} years` },
      span: { start: 21 + 25 * at, end: 24.5 + 25 * at },
    })),
    ...['Nine', 'Twelve', 'Fourteen', 'Seven', 'Thirty'].map((number, at) => ({
      ...{ id: `said${at}`, track: 'speech' as const, confidence: 0.95 },
      ...{
        text: `${number} boats were sold on day ${'abcde'[at]} alone.`,
        span: { start: 302 + 25 * at, end: 306 + 25 * at },
      },
    })),
  )
  const drafts = [1, 2, 3].flatMap(seed => draftByRules(record, { forms: [form], negatives, seed, count: 6 }))
  expect(drafts.length).toBeGreaterThan(0)
  const items = drafts.map(
    ({ form: _, ...draft }, at): DraftItem => ({ id: `d${at}`, video: 'talk', kind: form, ...draft }),
  )
  const own = { ...given({}), record: () => record }
  for (const check of [grounded, options])
    expect((await check.run(items, own)).filter(({ outcome }) => outcome !== 'pass')).toEqual([])
})

test('orders of the same things are options, however they are joined', async () => {
  const base: DraftItem = {
    ...{ id: 'o', video: 'talk', kind: 'order', question: 'In which order?' },
    answer: '',
    clues: [],
    rows: [],
    extra: {},
  }
  const orders = ['"A b", then "C d", and "E f"', '"C d", then "A b", and "E f"', '"E f", then "C d", then "A b"']
  const run = (all: string[]) => options.run([{ ...base, options: all, answer: all[0] ?? '', right: 0 }], given({}))
  expect(await run(orders)).toMatchObject([{ outcome: 'pass' }])
  expect(await run([...orders, '"A b", then "C d", and "E f" too'])).toMatchObject([{ outcome: 'reject' }])
})

test('of rows that are too many for a request, those most like the question are shown, and the card says so', async () => {
  const filler = Array.from({ length: 900 }, (_, at) => ({
    ...{ id: `f${at}`, text: `And so they went on with talk number ${at} of that long day.` },
    ...{ span: { start: 25 + at * 0.6, end: 25.5 + at * 0.6 }, track: 'speech' as const },
  }))
  const record = withRows(...filler, {
    id: 'late',
    text: 'Recap: length of Harbour Bridge',
    span: { start: 590, end: 599 },
  })
  const item: DraftItem = {
    ...{ id: 'q', video: 'talk', kind: 'value', question: 'What is the length of the Harbour Bridge?' },
    ...{ answer: '512 metres', options: ['512 metres', '487 metres', '530 metres', '561 metres'], right: 0 },
    ...{ clues: [[0, 20]], rows: ['talk-t0'], extra: {} },
  }
  const seen: ChatRequest[] = []
  const own = {
    ...given(
      { look: (_, { messages }) => (contentText(messages[0]?.content ?? []).includes('Recap') ? 'none' : 'A') },
      {},
      seen,
    ),
    record: () => record,
  }
  expect(await clue.run([item], own)).toMatchObject([{ outcome: 'pass' }])
  const texts = seen.map(({ messages }) => contentText(messages[0]?.content ?? []))
  for (const text of texts) expect(text.length).toBeLessThan(40_000)
  expect(texts.filter(text => text.includes('Recap: length of Harbour Bridge')).length).toBe(texts.length - 1)
  expect(clue.warnings?.([item], own)).toEqual([expect.stringContaining('for 1 questions')])
  const short = { ...own, record: () => oneSlide('talk', 'Harbour Bridge\nlength: 512 metres') }
  expect(clue.warnings?.([item], short)).toEqual([])
})
