import { expect, test } from 'vitest'
import type { Answer } from '../../../../src/core/agent.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import { writeAnswerContent } from './content.ts'

const row = (id: string, start: number, end: number, text: string): Evidence => ({
  ...{ id, video: 'v1', by: 'test', track: 'speech', span: { start, end }, text },
})
const rows = [
  row('a', 754, 760, 'in room thirty one'),
  row('b', 2402, 2405.5, 'room 31'),
  row('c', 754, 757, 'the map'),
]
const link = ({ id }: Pick<Evidence, 'id'>) => `page#${id}`
const answerOf = (text: string, sentences: [text: string, ...cites: string[]][], choice?: number): Answer => ({
  ...{ text, choice, confidence: 0.9, abstained: false, degraded: [] },
  sentences: sentences.map(([text, ...cites]) => ({ text, cites, verdict: 'supported' })),
})

test('each sentence has its moments, and each citation the place of its moment', () => {
  const answer = answerOf('It is room 31 [12:34-12:40] [40:02-40:05]. Ask there.', [
    ['It is room 31.', 'b', 'a', 'c'],
    ['Ask there.'],
  ])
  const { pieces, text, citations } = writeAnswerContent(answer, rows, link)
  expect(pieces).toEqual(['It is room 31 [12:34] [40:02].', ' Ask there.'])
  expect(citations.map(({ start, end, url, title }) => [text.slice(start, end), url, title])).toEqual([
    ['[12:34]', 'page#c', '12:34-12:37 speech "the map"'],
    ['[12:34]', 'page#a', '12:34-12:40 speech "in room thirty one"'],
    ['[40:02]', 'page#b', '40:02-40:05 speech "room 31"'],
  ])
})

test('the letter of a choice stands before its reason', () => {
  const answer = answerOf('B. ten. Said: "at ten" [12:34-12:40].', [['Said: "at ten"', 'a']], 1)
  expect(writeAnswerContent(answer, rows, link).text).toBe('B. ten. Said: "at ten" [12:34].')
})

test('an answer that is not made of its sentences stays as it is, with its citations at its end', () => {
  const answer = answerOf('Room 31.', [['Something else', 'a']])
  const { text, citations } = writeAnswerContent(answer, rows, link)
  expect([text, citations.map(({ start, end }) => [start, end])]).toEqual(['Room 31.', [[8, 8]]])
})

test('words of a video load nothing and turn nothing round where they are shown as Markdown or HTML', () => {
  const said = 'see ![x](http://evil/a.png) <img src=http://evil> \u202Eabc and 1 < 2.'
  const { text } = writeAnswerContent(answerOf(said, [[said]]), [], link)
  expect(text).toBe('see !\\[x](http://evil/a.png) &lt;img src=http://evil> \\u202eabc and 1 < 2.')
})

test('a tag that an option and its reason make together is no tag', () => {
  const answer = answerOf('B. <img src=x> [12:34-12:40].', [['img src=x>', 'a']], 1)
  const { text, pieces, citations } = writeAnswerContent(answer, [row('a', 754, 760, '![x](http://e) <image>')], link)
  expect(text).toBe('B. &lt;img src=x> [12:34].')
  expect(pieces.join('')).toBe(text)
  expect(citations[0]?.title).toBe('12:34-12:40 speech "!\\[x](http://e) &lt;image>"')
})
