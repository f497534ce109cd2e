import { expect, test } from 'vitest'
import { sampleLine } from '../../tests/bench/sample-lines.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { groupScores } from './group-scores.ts'
import { countPolicyActs, policyTable } from './policy-table.ts'

type Step = SampleLine['asks'][number]['steps'][number]
const step = (evidence: string[], by?: string): Step => ({
  ...{ round: 0, tool: 'search', input: {}, notes: [], seconds: 0, evidence },
  outcome: evidence.length > 0 ? 'found' : 'nothing',
  ...(by !== undefined && { by }),
})

function asked(id: string, steps: Step[], cited: string): SampleLine {
  const line = sampleLine({ id, score: 1, rows: ['r1', 'r2'].map(id => ({ id, cited: id === cited })) })
  return { ...line, asks: line.asks.map(ask => ({ ...ask, steps })) }
}

test('a policy counts with its calls, and with the answers that cite what only it found', () => {
  const lines = [
    asked('1', [step(['r1']), step(['r1', 'r2'], 'exhaustiveScan'), step([], 'noveltyGuard')], 'r2'),
    asked('2', [step(['r1']), step(['r1'], 'exhaustiveScan')], 'r1'),
    asked('3', [step(['r1'])], 'r1'),
  ]
  expect(countPolicyActs(lines)).toEqual([
    { policy: 'exhaustiveScan', asked: 2, calls: 2, found: 2, decisive: 1 },
    { policy: 'noveltyGuard', asked: 1, calls: 1, found: 0, decisive: 0 },
  ])
  expect(policyTable([{ name: 'one', lines }]).rows[0]).toEqual(['one', 'exhaustiveScan', '2', '2', '2', '1'])
  expect(policyTable([{ lines: lines.slice(2) }]).rows).toEqual([])
})

test('an accuracy with its interval is a number of its group, with its count', () => {
  const accuracy = { n: 4, accuracy: 50, low: 20, high: 80, interval: 'questions alone' }
  const groups = { who: { open: accuracy, mcq: null, rubric: 12 } }
  expect(groupScores({ about: { groupedBy: ['kind'] } as never }, { groups })).toEqual([
    { way: 'kind', values: { who: { n: 4, open: 50, rubric: 12 } } },
  ])
})
