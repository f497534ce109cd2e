import { expect, test } from 'vitest'
import { scoreReplyLines } from '../../../tests/support/benchmark.ts'
import { writeJsonLines } from '../../data/lines.ts'
import type { Sample, Scoring } from '../../data/sample.ts'
import type { SampleLine } from '../../data/sample-line.ts'
import { buildAsks } from '../../runner/ask/asks-of-sample.ts'
import { replyLines } from '../../runner/score-run.ts'
import longshot from './index.ts'
import { rubricCriteria } from './rubric.ts'

const record = {
  sample_id: 's',
  video_id: 'v',
  task: 'agentic_task',
  conversations: [
    { role: 'user', content: 'How many cars, doubled?' },
    {
      role: 'assistant',
      content: 'Eight.',
      tool_calls: [
        { tool: 'count_objects', parameters: { timestamp: '0:10', object_query: 'cars' }, expected_response: '4 cars' },
        '{"tool": "calculator", "parameters": {"expression": "4*2"}, "expected_response": "8"}',
      ],
    },
    { role: 'user', content: 'What colour?' },
    {
      role: 'assistant',
      content: 'Red.',
      criteria: [{ name: 'c', description: 'Says red', weight: 5, is_penalty: false }],
    },
  ],
}

// As the benchmark makes them: one sample a turn.
const turn = (index: number, question: string, reference: string): Sample<typeof record> => ({
  id: `s__t${index}`,
  video: 'v.mp4',
  question: { text: question },
  reference,
  groups: { task: 'agentic_task' },
  record,
})
const agentic = turn(1, 'How many cars, doubled?', 'Eight.')
const plain = turn(3, 'What colour?', 'Red.')
const calls = (list: object[]) => `\`\`\`json\n${JSON.stringify({ tool_calls: list })}\n\`\`\``
const counted = { tool: 'count_objects', parameters: { timestamp: '0:10', object_query: 'Cars' } }
const doubled = { tool: 'calculator', parameters: { expression: '4*2' } }

test('only an agentic turn is asked for tools: a model in words, an agent by what it did', () => {
  const tasks = new Set(['answer', 'tools'])
  expect(buildAsks(longshot, agentic, tasks, 'alone').map(ask => ask.name)).toEqual(['answer', 'tools'])
  expect(buildAsks(longshot, plain, tasks, 'alone').map(ask => ask.name)).toEqual(['answer'])
  const [ask] = buildAsks(longshot, agentic, tasks)
  const answer = { text: '8', sentences: [], confidence: 1, abstained: false, degraded: [] }
  const steps = [{ tool: 'calculator', input: { expression: '4*2' } }]
  expect(ask!.replies.tools!({ answer, evidence: [], steps })).toBe(calls([doubled]))
  expect(Object.keys(buildAsks(longshot, plain, tasks)[0]!.replies)).toEqual(['answer'])
})

test('a model is asked for its calls first, and for its answer with what the expected calls return', async () => {
  const { request } = longshot.frames
  const media = { duration: 60, framesPerSecond: 10, lastFrame: 599 }
  const text = (task: string) =>
    request(agentic, task, media, { frames: 2 })
      .turns.flatMap(({ parts }) => parts.flatMap(part => ('text' in part ? [part.text] : [])))
      .join('\n')
  expect(text('tools')).toMatch(
    /count_objects\(timestamp, object_query\)[\s\S]*How many cars, doubled\?[\s\S]*tool_calls/,
  )
  expect(text('tools')).not.toContain('4 cars')
  expect(text('answer')).toMatch(/How many cars, doubled\?[\s\S]*count_objects\(.*\): 4 cars[\s\S]*calculator\(.*\): 8/)
})

test('calls are compared: all of it is had by a perfect turn, and every fault costs', () => {
  const score = (reply: string) => longshot.grade(agentic, 'tools', { reply, judge: {} }).score
  expect(score(calls([counted, doubled]))).toBe(1)
  expect(score(calls([counted]))).toBeLessThan(1)
  expect(score(calls([counted, doubled, { tool: 'web_search', parameters: {} }]))).toBeLessThan(1)
  expect(score('I would count.')).toBe(0)
})

test('the judge has the final answer alone, and the judged file holds the rubric that the release makes', async () => {
  expect(rubricCriteria(agentic).map(({ name }) => name)).toEqual(['final_answer_correctness'])
  const line = (id: string, replies: Record<string, string>, met: boolean) =>
    ({
      id,
      replies,
      judge: { by: 'm', replies: { criterion_0: `{"criteria_met": ${met}}` }, failed: {}, seconds: 0 },
    }) as unknown as SampleLine
  const samples = [agentic, plain]
  const lines = [
    line('s__t1', { answer: '8', tools: calls([counted, doubled]) }, true),
    line('s__t3', { answer: 'red' }, true),
  ]
  const judgedLines = replyLines(longshot, { samples }, lines)
  const [judged] = judgedLines.map(text => JSON.parse(text))
  expect(judged.conversations[1].criteria.map((one: { criteria_met: boolean }) => one.criteria_met)).toEqual(
    Array(7).fill(true),
  )
  // Both penalties of the release have a positive weight, so that a perfect turn cannot reach its total.
  const score = (scoring: Scoring) =>
    scoreReplyLines(longshot, { records: [record], replies: writeJsonLines(judgedLines), scoring })
  const official = await score('official')
  expect(official.excluded[0]!.reason).toContain('no category')
  const strict = await score('strict')
  expect(strict.groups.subtasks!.agentic_task).toMatchObject({ accuracy: 100 })
  const other = { ...record, sample_id: 'not answered' }
  const half = { records: [record, other], replies: writeJsonLines(judgedLines), scoring: 'strict' as const }
  expect((await scoreReplyLines(longshot, half)).metrics.overall).toBeCloseTo(50, 5)
})
