import { expect, test } from 'vitest'
import type { Step } from '../../src/core/agent.ts'
import { contentText, textContent } from '../../src/core/chat.ts'
import { rowLine } from '../../src/core/evidence.ts'
import { freshState } from '../../tests/agent/fresh-state.ts'
import { handMadeIndex } from '../../tests/agent/hand-made-index.ts'
import { museum } from '../../tests/agent/museum.ts'
import { conversationMessages } from './messages.ts'

const rows = handMadeIndex(museum).evidence().slice(0, 5)
const step = (round: number, evidence = rows, outcome: Step['outcome'] = 'found'): Step => ({
  ...{ round, tool: 'search', input: {}, outcome, notes: [], seconds: 0 },
  evidence: evidence.map(row => row.id),
})

const told = (state: ReturnType<typeof freshState>) =>
  conversationMessages(
    { ...state, round: 5 },
    {
      ...{ rules: '', opening: textContent('Who?'), line: rowLine, last: '' },
      characters: (calls, age) => (age > 3 ? 600 : 12_000 / calls),
    },
  )

test('a row stands in a request in full once, and later results name it by its id', () => {
  const state = freshState({
    question: { text: 'Who?' },
    evidence: rows,
    steps: [step(0, rows.slice(0, 3)), step(1), step(2, rows, 'repeated')],
  })
  const results = told(state)
    .filter(one => one.role === 'tool')
    .map(one => contentText(one.content))
  for (const row of rows) expect(results.join('\n').split(rowLine(row))).toHaveLength(2)
  expect(results[1]).toContain(
    `and 3 rows shown above: ${rows
      .slice(0, 3)
      .map(row => row.id)
      .join(' ')}`,
  )
  expect(results[2]).toContain('5 rows shown above')
})

test('a row that an old result has no room for stands in a later one in full', () => {
  const long = rows.map(row => ({ ...row, text: `${row.text} ${'w '.repeat(250)}` }))
  const steps = [step(0, long.slice(0, 3)), ...[1, 2, 3].map(round => step(round, [])), step(4, long.slice(0, 3))]
  const results = told(freshState({ question: { text: 'Who?' }, evidence: long, steps }))
    .filter(one => one.role === 'tool')
    .map(one => contentText(one.content))
  expect(results[0]).toContain('more rows')
  expect(results.join('\n').split(rowLine(long[2] ?? long[0]!))).toHaveLength(2)
})
