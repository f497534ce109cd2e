import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MadeSet } from '../../../eval/data/benchmark-json.ts'
import { applyReview } from '../../../eval/make/review/apply-review.ts'
import { eventMarks, mergeCertificate } from '../../../eval/make/review/events.ts'
import { importVerdicts } from '../../../eval/make/review/import-verdicts.ts'
import { openReview } from '../../../eval/make/review/open-review.ts'
import { readReviewSet, readReviews } from '../../../eval/make/review/review-set.ts'
import { withTimes } from '../../../eval/make/review/with-times.ts'
import type { DraftItem, ItemCheck } from '../../../eval/recipes/item.ts'
import { actions, events, filmSet, places, timesOf } from './film-set.ts'
import { type FixtureSet, said } from './reviewed-set.ts'

const { signal } = new AbortController()
let made: FixtureSet
let folder: string
beforeAll(async () => {
  made = await filmSet()
})
afterAll(() => made.remove())
beforeEach(() => {
  folder = mkdtempSync(join(made.folder, '..', 'set-'))
  cpSync(made.folder, folder, { recursive: true })
})

const firstOf = (kind: string) => made.items.find(item => item.kind === kind) as DraftItem
const whole = () => firstOf('choronological_understanding')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
interface Row {
  question_id: string
  question: string
  options?: (string | string[])[]
  answer_idx?: number
  temporal_grounding?: [number, number][]
}
const rowsOf = () => {
  const { annotations } = JSON.parse(read('benchmark.json')) as MadeSet
  return annotations.flatMap(file => JSON.parse(read(file)) as Row[])
}
const saysIn = async (lines: object[], reviewer = 'anna') => {
  const file = join(folder, 'said.jsonl')
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  return importVerdicts({ folder, file, reviewer, signal })
}
const has = (event: string) => (item: DraftItem) => item.events?.list.includes(event)
const orders = { scene_transitions: places, character_actions: actions, choronological_understanding: events }
const all = () => Object.entries(orders).map(([kind, list]) => said(firstOf(kind), 'keep', { events: timesOf(list) }))

test('a certificate leaves out what is shorter than 0.1 s, and what lies within 5 s is one stretch', () => {
  expect(
    mergeCertificate([
      [40, 40.09],
      [0, 2],
      [7, 8],
      [13.01, 13.2],
      [30, 30.1],
    ]),
  ).toEqual([
    [0, 8],
    [13.01, 13.2],
    [30, 30.1],
  ])
  expect(mergeCertificate([[1, 1.05]])).toEqual([])
})

describe('what people say of an event', () => {
  test('holds in all questions that rest on it: where it is not in the video, these go and the others stay', async () => {
    const [, jug] = events.map(([text]) => text)
    const { refused, set } = await saysIn([said(whole(), 'keep', { events: { [jug!]: 'absent' } })])
    expect(refused).toEqual([])
    const gone = made.items.filter(has(jug!))
    expect(gone.length).toBeGreaterThan(3)
    expect(
      rowsOf()
        .map(row => row.question_id)
        .sort(),
    ).toEqual(
      made.items
        .filter(item => !gone.includes(item))
        .map(({ id }) => id)
        .sort(),
    )
    expect(set?.reviewed.reasons).toEqual({ 'not-in-video': gone.length })
    expect(set?.counts.kept).toBe(made.items.length - gone.length)
  })

  test('takes out what asks for another order than that of the times', async () => {
    const [ferry, jug] = events.map(([text]) => text)
    const { set } = await saysIn([said(whole(), 'keep', { events: { [ferry!]: [[40, 44]], [jug!]: [[30, 34]] } })])
    const gone = made.items.filter(item => has(ferry!)(item) && has(jug!)(item))
    expect(set?.reviewed.reasons).toEqual({ 'wrong-answer': gone.length })
  })

  test('takes out what asks which comes first of two that begin together', async () => {
    const [ferry, jug] = events.map(([text]) => text)
    const together = { [ferry!]: [[30, 32]], [jug!]: [[30, 34]] }
    const { set } = await saysIn([said(whole(), 'keep', { events: together })])
    const gone = made.items.filter(item => has(ferry!)(item) && has(jug!)(item))
    expect(set?.reviewed.reasons).toEqual({ 'wrong-answer': gone.length })
  })

  test('takes out no question whose answer is fixed to it', async () => {
    const [ferry, jug, ...rest] = events.map(([text]) => text)
    const { right = 0, options: shown = [] } = whole()
    const corrected = [jug, ferry, ...rest].join(', ')
    const options = shown.map((option, at) =>
      at === right ? corrected : option === corrected ? shown[right]! : option,
    )
    const times = { [ferry!]: [[40, 44]], [jug!]: [[30, 34]] }
    const { set, refused } = await saysIn([said(whole(), 'fix', { events: times, fixed: { options, right } })])
    expect(refused).toEqual([])
    expect(set?.reviewed.outcomes?.[whole().kind]).toMatchObject({ fixed: 1 })
    expect(rowsOf().map(row => row.question_id)).toContain(whole().id)
    const gone = made.items.filter(item => item.id !== whole().id && has(ferry!)(item) && has(jug!)(item))
    expect(set?.reviewed.reasons).toEqual({ 'wrong-answer': gone.length })
  })

  test('counts as absent where half of those who saw it say so, and by the newest word of each', async () => {
    const [, jug] = events.map(([text]) => text)
    await saysIn([said(whole(), 'keep', { events: { [jug!]: [[30, 34]] } })])
    const split = await saysIn([said(whole(), 'keep', { events: { [jug!]: 'absent' } })], 'ben')
    expect(split.set?.reviewed.reasons).toHaveProperty('not-in-video')
    const after = await saysIn([said(whole(), 'keep', { events: { [jug!]: [[31, 33]] } })], 'ben')
    expect(after.set?.reviewed.reasons).toEqual({})
    const pair = made.items.find(item => item.options?.length === 2 && has(jug!)(item))!
    const again = await saysIn([said(pair, 'keep', { events: { [jug!]: 'absent' } })], 'ben')
    expect(again.set?.reviewed.reasons).toHaveProperty('not-in-video')
  })

  test('is refused where the question has no such event, or the time leaves the video', async () => {
    const { refused, imported } = await saysIn([
      said(whole(), 'keep', { events: { 'a dog barks': 'absent' } }),
      said(whole(), 'keep', { events: { [events[0]![0]]: [[90, 101]] } }),
      said(whole(), 'keep', { events: { [events[0]![0]]: [] } }),
    ])
    expect(imported).toBe(0)
    expect(refused).toEqual([
      expect.stringContaining('has no event "a dog barks"'),
      expect.stringContaining('90-101 of the event "Omar paints the ferry" leaves film'),
      expect.stringContaining('events'),
    ])
  })

  test('stands in the next question that has it, for the one who said it', async () => {
    const anna = await openReview({ folder, reviewer: 'anna', share: 0, signal })
    const { item } = await anna.asks.next({ kind: 'choronological_understanding' })
    const own = made.items.find(({ id }) => id === item?.id)!
    const [event] = own.events!.list
    const mark = timesOf(events)[event!]
    await anna.asks.say(said(own, 'keep', { events: { [event!]: mark } }))
    const marks: unknown[] = []
    for (let step = await anna.asks.next({}); step.item; step = await anna.asks.next({})) {
      const now = made.items.find(({ id }) => id === step.item?.id)!
      if (has(event!)(now)) marks.push(step.item.key.events?.marks)
      await anna.asks.say(said(now, 'keep'))
    }
    await anna.close()
    expect(marks.length).toBeGreaterThan(2)
    expect(new Set(marks.map(one => JSON.stringify(one)))).toEqual(new Set([JSON.stringify({ [event!]: mark })]))
  })
})

describe('times of people', () => {
  test('are the clues of what rests on them, and the card has the mean number and length', async () => {
    const lines = [
      said(whole(), 'keep', { events: timesOf(events) }),
      said(firstOf('deep_context_understanding'), 'keep', {
        clues: [
          [1, 2],
          [6, 9],
        ],
      }),
      said(firstOf('scene_transitions'), 'keep', { events: timesOf(places.slice(1)) }),
    ]
    const { set, refused } = await saysIn(lines)
    expect(refused).toEqual([])
    const rows = new Map(rowsOf().map(row => [row.question_id, row.temporal_grounding]))
    expect(rows.get(whole().id)).toEqual(events.map(([, start, end]) => [start, end]))
    expect(rows.get(firstOf('deep_context_understanding').id)).toEqual([[1, 9]])
    const untimed = firstOf('scene_transitions') // one of its places has no time
    expect(rows.get(untimed.id)).toEqual(untimed.clues)
    const timed = made.items.filter(({ kind }) => kind === 'choronological_understanding')
    const pieces = timed.map(({ events: of }) => of!.list.length)
    const sum = pieces.reduce((all, n) => all + n, 0)
    const questions = timed.length + 1
    expect(set?.reviewed.certificates).toEqual({
      ...{ questions, pieces: (sum + 1) / questions },
      seconds: expect.closeTo((4 * sum + 8) / questions, 9),
    })
    expect(read('README.md')).toContain(
      `- Certificates: ${((sum + 1) / questions).toFixed(2)} stretches and ${((4 * sum + 8) / questions).toFixed(2)} s on average, of ${questions} questions with times of people`,
    )
  })

  test('are the fixed clues, whoever marked others before the key, and never what a drop marked', async () => {
    const deep = firstOf('deep_context_understanding')
    const cluesNow = () => rowsOf().find(row => row.question_id === deep.id)?.temporal_grounding
    await saysIn([said(deep, 'keep', { clues: [[1, 4]] })], 'cleo')
    await saysIn([said(deep, 'keep', { clues: [[2, 5]] })], 'dora')
    await saysIn([said(deep, 'drop', { clues: [[80, 90]], reasons: ['trivial'] })], 'ben')
    expect(cluesNow()).toEqual([[2, 5]])
    await saysIn([said(deep, 'fix', { clues: [[50, 60]], fixed: { clues: [[28, 36]] } })])
    await saysIn([said(deep, 'keep', { clues: [[1, 3]] })], 'cleo')
    expect(cluesNow()).toEqual([[28, 36]])
  })

  test('are refused where they leave the video', async () => {
    const deep = firstOf('deep_context_understanding')
    const { refused, imported } = await saysIn([said(deep, 'keep', { clues: [[90, 101]] })])
    expect([imported, refused]).toEqual([0, [expect.stringContaining(`90-101 of the clues of ${deep.id} leaves film`)]])
  })

  test('nobody gave: the card says so, and nothing is asked before or after an event', async () => {
    expect(read('README.md')).toContain('- Certificates: not measured: no person has said when')
    await saysIn([said(whole(), 'keep'), said(firstOf('scene_transitions'), 'keep', { events: timesOf(places) })])
    expect(rowsOf().filter(({ question_id }) => question_id.includes('_f'))).toEqual([])
  })

  test('make questions on what is over before an event and begins after it, whose answers the times bear out', async () => {
    const { set } = await saysIn(all())
    const further = rowsOf().filter(({ question_id }) => question_id.includes('_f'))
    const before = further.filter(({ question }) => /\bbefore\b/i.test(question))
    expect([further.length, before.length]).toEqual([8, 4]) // two on each side, of the places and of what Ida does
    for (const { question, options = [], answer_idx = -1, temporal_grounding } of further) {
      const [, from = 0, to = 0] = events.find(([text]) => question.includes(`"${text}"`))!
      const answer = options[answer_idx] as string[]
      const list = answer.some(text => places.some(([place]) => place === text)) ? places : actions
      const fitting = list.filter(([, start, end]) => (/\bbefore\b/i.test(question) ? end <= from : start >= to))
      expect(answer).toEqual(fitting.map(([text]) => text))
      const covers = ([start, end]: readonly number[]) =>
        temporal_grounding?.some(([left, right]) => left <= start! && end! <= right)
      expect([...fitting.map(([, start, end]) => [start, end]), [from, to]].every(covers)).toBe(true)
      expect(new Set(options.map(option => String(option))).size).toBe(options.length)
    }
    expect(set?.counts).toMatchObject({ drafted: made.items.length + 8, kept: made.items.length + 8, byTimes: 8 })
    expect(read('README.md')).toContain(
      '8 questions follow from the times of events, and no reviewer has seen them; the filters that ask a model (metadata only, subtitles only) were not run on them; those that may ask one (grounded, one right) went by their rules only.',
    )
    const files = set!.annotations.map(read)
    expect((await applyReview(folder, signal))?.counts).toEqual(set?.counts)
    expect(set!.annotations.map(read)).toEqual(files)
  })

  test('make no question that a check stops by its rules, where it let the one that it follows pass', async () => {
    await saysIn(all())
    const set = await readReviewSet(folder)
    const { reviews } = await readReviews(set)
    const stops: ItemCheck = {
      ...{ k: 2, name: 'stops', optionalRole: 'check' },
      run: async items =>
        items.map(({ id, question }) => ({ item: id, outcome: /\bbefore\b/i.test(question) ? 'reject' : 'pass' })),
    }
    const recipe = { ...set.recipe, checks: [...set.recipe.checks, { check: stops }] }
    const markOf = eventMarks(set.items, reviews)
    const { further } = await withTimes(set.items, { ...set, recipe }, { reviews, markOf }, signal)
    expect(further.map(({ question }) => /\bbefore\b/i.test(question))).toEqual([false, false, false, false])
  })

  test('are gone from the set with the one who gave them', async () => {
    await saysIn(all())
    const { set } = await saysIn(Object.keys(orders).map(kind => ({ item: firstOf(kind).id, verdict: 'undone' })))
    expect(set?.counts).toMatchObject({ drafted: made.items.length, kept: made.items.length, byTimes: 0 })
    expect(rowsOf().filter(({ question_id }) => question_id.includes('_f'))).toEqual([])
  })
})
