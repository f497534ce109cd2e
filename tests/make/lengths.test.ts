import { describe, expect, test } from 'vitest'
import { whole } from '../../eval/data/deck.ts'
import { dealLetters } from '../../eval/make/set/deal-letters.ts'
import { shallow, shallowScores } from '../../eval/recipes/checks/shallow.ts'
import type { DraftItem, SourceRecord } from '../../eval/recipes/item.ts'
import { type AnswerCandidate, type Form, makeCandidates } from '../../eval/recipes/rules/candidates.ts'
import { draftByRules } from '../../eval/recipes/rules/draft-by-rules.ts'
import { drawFor } from '../../src/core/basics/draws.ts'
import { given } from './checks/fixture.ts'

const first = 'Harbour Amber Copper Granite Velvet Thunder Maple Crystal Silver Ocean Desert Forest'.split(' ')

// Texts one after another: where each begins and ends.
function record(spans: readonly [start: number, end: number][], id = 'talk', lines = ''): SourceRecord {
  const rows = spans.map(([start, end], at) => ({
    ...{ id: `${id}-t${at}`, track: 'text' as const, text: `${first[at]} House${lines}`, confidence: 0.95 },
    span: { start, end },
  }))
  const statistics = { segments: 0, duration: 600, fps: 25, frames: 15_000, rows: rows.length }
  return { ...{ video_id: id, video: `${id}.mp4`, segments: [], meta: {}, rows }, statistics }
}

const candidates = (form: Form, of: SourceRecord, seed = 1): AnswerCandidate[] =>
  makeCandidates(of, [form], drawFor(seed, 'test'))[0] ?? []
const answers = (form: Form, of: SourceRecord, seed = 1) => candidates(form, of, seed).map(({ answer }) => answer)

describe('a length is asked for', () => {
  // A text is read up to a third of a second after it begins to show.
  test.each([
    [17.44, []],
    [17.6, []],
    [17.2, []],
    [17.12, ['17 seconds']],
    [17.88, ['18 seconds']],
  ])('only where its whole second is sure: %s s', (gap, found) => {
    const pair = record([
      [18.48, 23],
      [18.48 + gap, 18.48 + gap + 5.5],
    ])
    expect(answers('how far apart', pair)).toEqual(found)
    expect(answers('how long', record([[10, 10 + gap]]))).toEqual(found)
  })

  test('once in a video, among others that are asked for and that nobody takes for it', () => {
    const uneven = record([4, 7, 11, 17, 27, 45, 7, 8, 12].map((seconds, at) => [50 * at, 50 * at + seconds]))
    for (let seed = 0; seed < 20; seed++) {
      const asked = answers('how long', uneven, seed)
      expect(asked.length).toBeGreaterThanOrEqual(5)
      expect(new Set(asked).size).toBe(asked.length)
      for (const { answer, wrong } of candidates('how long', uneven, seed)) {
        expect(wrong).toHaveLength(4)
        expect(asked).toEqual(expect.arrayContaining(wrong))
        const all = [answer, ...wrong].map(text => Number.parseInt(text, 10)).sort((a, b) => a - b)
        for (const [at, one] of all.slice(1).entries()) expect(one / all[at]!).toBeGreaterThanOrEqual(1.3)
      }
    }
  })

  test('and none where all texts of a video stand equally long', () => {
    const even = record(first.map((_, at) => [25 * at, 25 * at + 5]))
    const forms: Form[] = ['how long', 'when']
    const drafts = draftByRules(even, { forms, negatives: { min: 4, max: 7 }, seed: 1, count: 60 })
    expect(new Set(drafts.map(({ form }) => form))).toEqual(new Set(['when']))
  })
})

test('one count is asked for in a video', () => {
  const slides = record(
    first.slice(0, 6).map((_, at) => [25 * at, 25 * at + 20]),
    'talk',
    '\nbudget: 3\nstaff: 9',
  )
  const { rows } = slides
  const some = {
    ...slides,
    rows: rows.map((row, at) => (at < 3 ? row : { ...row, text: row.text.split('\nstaff')[0]! })),
  }
  const seen = new Set<string>()
  for (let seed = 0; seed < 20; seed++) {
    const asked = answers('how many', some, seed)
    expect(asked).toHaveLength(1)
    seen.add(asked[0]!)
  }
  expect(seen).toEqual(new Set(['3', '6']))
})

test('a line with a label is no title', () => {
  const split = record([
    [0, 6],
    [10, 16],
    [20, 26],
  ])
  split.rows[1]!.text = 'Room: 142\nVisitors: 783'
  expect(candidates('when', split).map(({ slots }) => slots.title)).not.toContain('Room: 142')
  expect(candidates('when', split)).toHaveLength(2)
})

// As sets are rendered: titles stand for five or six seconds in every video, some right after another.
describe.each([1, 2, 3, 4, 5])('a set of videos whose texts stand for much the same time, seed %i', seed => {
  const forms: Form[] = ['when', 'how long', 'how far apart', 'how many']
  const videos = Array.from({ length: 6 }, (_, at) => {
    const random = drawFor(seed, 'video', at)
    let end = 0
    const spans = first.slice(0, 9).map((): [number, number] => {
      const start = end + whole(0, 1, random) * whole(4, 21, random)
      end = start + whole(5, 6, random)
      return [start, end]
    })
    const labels = (row: number) => `\nstaff: ${row + 3}${row % 3 === 0 ? `\nbudget: ${row + 40}` : ''}`
    const made = record(spans, `talk${at}`)
    return { ...made, rows: made.rows.map((row, n) => (n < 6 ? { ...row, text: row.text + labels(n) } : row)) }
  })
  const itemsOf = (one: SourceRecord) =>
    draftByRules(one, { forms, negatives: { min: 4, max: 7 }, seed, count: 20 }).map(
      ({ form, ...draft }, at): DraftItem => ({
        id: `${one.video_id}_q${at}`,
        video: one.video_id,
        kind: form,
        ...draft,
      }),
    )

  test('nothing is told by the options alone', () => {
    const items = dealLetters(videos.flatMap(itemsOf), seed)
    expect(items.length).toBeGreaterThan(60)
    expect(items.filter(({ kind }) => kind === 'how far apart').length).toBeGreaterThan(15)
    expect(shallow.warnings?.(items, given({}))).toEqual([])
  })

  test('K7 speaks where wrong lengths are made up', () => {
    const planted = videos.flatMap(({ video_id: video, rows }) =>
      rows.slice(0, 8).map(({ span }, at): DraftItem => {
        const n = span.end - span.start
        const options = [0.4, 0.6, 1, 1.6, 2.5].map(factor => `${Math.round(n * factor)} seconds`)
        const asked = { question: 'For how long is it shown?', answer: `${n} seconds`, options, right: 2 }
        return { id: `${video}_q${at}`, video, kind: 'how long', ...asked, clues: [], rows: [], extra: {} }
      }),
    )
    const { accuracy = 0 } = shallowScores(planted).find(({ solver }) => solver === 'frequent') ?? {}
    expect(accuracy).toBeGreaterThan(90)
    expect(shallow.warnings?.(dealLetters(planted, seed), given({}))).toEqual([
      expect.stringContaining('The solver "frequent" is right in'),
    ])
  })
})
