import { describe, expect, test } from 'vitest'
import { allvbRecords, taskCode } from '../benchmarks/allvb/record.ts'
import { pathsOf } from './paths.ts'
import { proposeMap } from './propose-map.ts'
import { readByMap } from './record-map.ts'

const texts = ['a red car', 'a blue boat', 'a green bus', 'a grey train', 'none of them']
const two = [
  { question: 'What does Ann drive?', right: 2, film: 'Film One', task: 'Scene Recognition', code: 'SR' },
  { question: 'What does Bob drive at night?', right: 0, film: 'Film Two', task: 'Action Recognition', code: 'AR' },
]
const letter = (at: number) => 'ABCDE'[at] ?? ''
const lettered = (prefix: string) => Object.fromEntries(texts.map((text, at) => [`${prefix}${letter(at)}`, text]))
const wanted = two.map(({ question, right, film, code }) => ({
  ...{ video: film, task: code, question, options: texts, answer: letter(right) },
}))

// As nobody publishes them: what the reader of allvb takes by itself, and what the proposal has to find.
const unaided: Record<string, unknown> = {
  'options A to E beside the question': two.map(one => ({
    ...{ question: one.question, movie_name: one.film, task: one.task, correct_option: letter(one.right) },
    ...lettered(''),
  })),
  'a flat list': two.map(one => ({
    ...{ question: one.question, video: one.film, task: one.task, options: texts, answer: letter(one.right) },
  })),
  'nested under films and tasks': Object.fromEntries(
    two.map(one => [one.film, { [one.code]: [{ question: one.question, options: texts, answer: letter(one.right) }] }]),
  ),
}
const proposed: Record<string, unknown> = {
  'other names': two.map(one => ({
    ...{ query: one.question, film: one.film, skill: one.task, cands: texts, label: letter(one.right) },
  })),
  'a number from nought': {
    data: two.map(one => ({ ask: one.question, movie: one.film, type: one.task, c: texts, gold: one.right })),
  },
  'the text of the option': two.map(one => ({
    ...{ prompt: one.question, title: one.film, category: one.task, pool: texts, solution: texts[one.right] },
  })),
  'fields of one prefix': two.map(one => ({
    ...{ stem: one.question, film_title: one.film, question_kind: one.task, gt: letter(one.right) },
    ...lettered('option_'),
  })),
  'the film around its questions': {
    films: two.map(one => ({
      name_of_film: one.film,
      qa: [{ text: one.question, type: one.task, variants: texts, correct: letter(one.right) }],
    })),
  },
  'the film as a name': Object.fromEntries(
    two.map(one => [one.film, [{ inquiry: one.question, kind: one.task, list: texts, key: letter(one.right) }]]),
  ),
  'a part below the question': two.map((one, at) => ({
    ...{ qid: `q${at}`, media: one.film, meta: { task: one.task, split: 'test' } },
    ...{ prompt: one.question, alternatives: lettered(''), right_one: letter(one.right) },
  })),
}

test('an answer that is the text of an option is not taken for a letter', () => {
  const record = { question: 'Which?', video: 'f', task: 'SR', options: texts, answer: 'a green bus' }
  expect(allvbRecords([record], 'f.json')[0]?.answer).toBe('C')
})

describe('layouts that nobody published', () => {
  test.each(Object.entries(unaided))('%s: read as it is', (_, content) => {
    const records = allvbRecords(content, 'f.json')
    expect(
      records.map(({ video, task, question, options, answer }) => ({ video, task, question, options, answer })),
    ).toEqual(wanted)
  })

  test.each(Object.entries(proposed))('%s: read by the proposed map', (_, content) => {
    const records = readByMap(content, proposeMap(content, 'f.json', taskCode), 'f.json')
    expect(records.map(({ id: _, split: __, ...record }) => record)).toEqual(wanted)
    expect(allvbRecords(records, 'f.json')).toHaveLength(2)
  })

  test.each([
    [
      'without options',
      two.map(one => ({ question: one.question, movie: one.film, answer: 'a car' })),
      /a question with options/,
    ],
    [
      'without an answer among them',
      two.map(one => ({ q: one.question, movie: one.film, choices: texts })),
      /an answer that is one/,
    ],
  ])('%s: refused with the paths and examples', (_, content, reason) => {
    const propose = () => proposeMap(content, 'f.json', taskCode)
    expect(propose).toThrow(reason)
    expect(propose).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('*.movie: "Film One", "Film Two"') }),
    )
  })
})

test('a map of one’s own says what it cannot find, and where', () => {
  const content = [{ q: 'Who?', v: 'one', o: texts, a: 'Z' }]
  const map = {
    records: '*',
    video: 'v',
    question: 'q',
    options: 'o',
    answer: 'a',
    answerIs: 'letter' as const,
    values: {},
  }
  expect(() => readByMap(content, map, 'f.json')).toThrow('f.json, record 0: the answer "Z" is none of its 5 options')
  expect(() => readByMap(content, { ...map, video: 'w' }, 'f.json')).toThrow('record 0 has nothing at "w" (video)')
  expect(() => readByMap(content, { ...map, records: 'x' }, 'f.json')).toThrow('no record at "x"')
  expect(pathsOf(content)).toContainEqual({ path: '*.v', examples: ['"one"'] })
})
