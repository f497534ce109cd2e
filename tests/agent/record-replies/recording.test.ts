import { expect, test } from 'vitest'
import { stamp } from '../../../src/core/evidence.ts'
import { freshState } from '../fresh-state.ts'
import { makeRecording } from './recording.ts'

const row = (start: number, text: string, track: 'speech' | 'picture' = 'speech') =>
  stamp({ span: { start, end: start + 2 }, track, text, ...(track === 'picture' && { frame: start }) }, 'v', 'x/y')

test('a recording names frames by their times and rows by their first words, and keeps apart what was heard again', () => {
  const [bus, train, frame, again] = [
    row(2, 'please take the bus'),
    row(5, 'please take the train'),
    row(41.2, 'frame at 0:41.2', 'picture'),
    row(8, 'please take the boat'),
  ]
  const cites = [bus, train, frame, again].map(one => one.id)
  const state = freshState({
    question: { text: 'What is taken?' },
    evidence: [bus, train, frame, again],
    steps: [{ round: 0, tool: 'hear', input: {}, outcome: 'found', evidence: [again.id], notes: [], seconds: 0 }],
    messages: [
      { by: 'code', about: 'budget', text: 'Left: 12 rounds of tools.' },
      { by: 'model', text: 'I listen.', calls: [{ id: 'c', name: 'hear', arguments: { start: 7, end: 9 } }], round: 0 },
      { by: 'code', about: 'doubt', text: 'A check doubts this.' },
      {
        by: 'model',
        text: '',
        calls: [{ id: 'c', name: 'answer', arguments: { text: 'A bus.', claims: [{ cites }] } }],
      },
    ],
  })
  const made = makeRecording(state, 'speech', 'real', 60)
  expect(made.rows.map(one => one.text)).toEqual(['please take the bus', 'please take the train'])
  expect(made.heard.map(one => one.text)).toEqual(['please take the boat'])
  expect(made.changes).toEqual([41.2])
  expect(made.replies).toEqual([
    { text: 'I listen.', calls: [{ name: 'hear', arguments: { start: 7, end: 9 } }] },
    {
      calls: [
        {
          name: 'answer',
          arguments: {
            text: 'A bus.',
            claims: [{ cites: ['#please take the bus', '#please take the train', '@0:41.2', '#please take the boat'] }],
          },
        },
      ],
    },
  ])
})
