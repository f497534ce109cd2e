import { expect, test } from 'vitest'
import type { RunEvent, Step } from '../agent.ts'
import { runSteps, stepLines, type TimedEvent } from './run-steps.ts'
import { laneMarks } from './step-spans.ts'

const video = { id: 'v1', name: 'talk.mp4', duration: 100 }
const row = (id: string, start: number): RunEvent => ({
  type: 'evidence',
  evidence: { id, video: 'v1', span: { start, end: start + 5 }, track: 'speech', text: id, by: 'transcribe/x' },
})
const call = (tool: string, evidence: string[], more: Partial<Step> = {}): Step => ({
  ...{ round: 0, tool, input: {}, outcome: evidence.length > 0 ? 'found' : 'nothing', evidence, notes: [], seconds: 1 },
  ...more,
})
const timed = (events: RunEvent[]): TimedEvent[] => events.map((event, at) => ({ ...event, at }))
const begins: RunEvent = { type: 'run', run: 'r', video, question: { text: 'Why?' } }
const step = (number: number, name: string, round = 0): RunEvent => ({ type: 'step', step: number, name, round })

test('a step holds its calls in the order in which they were asked for, and what each was the first to find', () => {
  const search = call('search', ['s1', 's2'], { input: { query: 'why', tracks: ['speech'] } })
  const look = call('look', ['s1', 'p1'], { input: { start: 10, end: 20, question: 'Who?' } })
  const events = timed([
    begins,
    step(1, 'plan'),
    { type: 'plan', round: 0, text: 'search' },
    step(2, 'act'),
    row('s1', 10),
    row('s2', 30),
    row('p1', 12),
    { type: 'tool-end', step: look, kind: 'look' },
    { type: 'tool-end', step: search, kind: 'search' },
    step(3, 'answer', 1),
  ])
  const steps = runSteps(events, [search, look])
  expect(steps.map(({ node, said, seconds }) => ({ node, said, seconds }))).toEqual([
    { node: 'plan', said: 'search', seconds: 2 },
    { node: 'act', said: undefined, seconds: 6 },
    { node: 'answer', said: undefined, seconds: undefined }, // it goes on
  ])
  const [first, second] = steps[1]?.tools ?? []
  expect(first).toMatchObject({
    tool: 'search',
    fresh: ['s1', 's2'],
    found: [{ id: 's1', track: 'speech' }, { id: 's2' }],
  })
  expect(second).toMatchObject({ tool: 'look', fresh: ['p1'] })
  expect(first?.span).toEqual({ lane: 'searched', span: { start: 0, end: 100 }, tracks: ['speech'] })
  expect(second?.span).toEqual({ lane: 'looked', span: { start: 10, end: 20 }, tracks: ['picture'] })
  expect(laneMarks(steps, first?.found.slice(0, 1) ?? [])).toEqual({
    searched: [
      { span: { start: 10, end: 15 }, step: 2, row: 's1', track: 'speech' },
      { span: { start: 30, end: 35 }, step: 2, row: 's2', track: 'speech' },
    ],
    looked: [{ span: { start: 10, end: 20 }, step: 2 }],
    cited: [{ span: { start: 10, end: 15 }, step: 3, row: 's1', track: 'speech' }],
  })
  expect(stepLines(steps).map(line => line.tool ?? line.node)).toEqual(['plan', 'search', 'look'])
})

test('a step that a kill cut off counts as it was made again', () => {
  const events = timed([
    begins,
    step(1, 'plan'),
    step(2, 'act'),
    row('lost', 3),
    { ...begins, resumed: 0 },
    step(2, 'act'),
    row('kept', 4),
    { type: 'tool-end', step: call('search', ['kept']) },
    step(3, 'draft', 1),
  ])
  expect(runSteps(events).map(one => [one.step, one.at, one.fresh])).toEqual([
    [1, 1, []],
    [2, 5, ['kept']],
    [3, 8, []],
  ])
})

test('only a call that was made has been anywhere; the times are read by whatever name a tool has them', () => {
  const spanOf = (kind: 'search' | 'look' | 'memory' | undefined, more: Partial<Step>) => {
    const events = timed([begins, step(1, 'act'), { type: 'tool-end', step: call('tool', [], more), kind }])
    return runSteps(events)[0]?.tools[0]?.span?.span
  }
  expect(spanOf('look', { outcome: 'refused', input: { start: 1, end: 2 } })).toBeUndefined()
  expect(spanOf('look', { outcome: 'failed', input: { start: 1, end: 2 } })).toBeUndefined()
  expect(spanOf('memory', {})).toBeUndefined()
  expect(spanOf(undefined, {})).toBeUndefined()
  expect(spanOf('search', { input: { query: 'x', after: 40, before: 60 } })).toEqual({ start: 40, end: 60 })
  expect(spanOf('look', { input: { timestamp: '0:10-0:25' } })).toEqual({ start: 10, end: 25 })
  expect(spanOf('look', { input: { timestamp: '0:50' } })).toEqual({ start: 50, end: 50 })
  expect(spanOf('look', { input: { timestamp: 'whole video' } })).toEqual({ start: 0, end: 100 })
  expect(spanOf('look', { input: { start: 90, end: 500 } })).toEqual({ start: 90, end: 100 })
  expect(spanOf('search', { input: null })).toEqual({ start: 0, end: 100 })
})
