import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import longshot from '../../eval/benchmarks/longshot/index.ts'
import { runNotes } from '../../eval/report/run-notes.ts'
import type { BenchRun } from '../../eval/runner/files/run-files.ts'
import { commandLine } from '../support/command-line.ts'
import { sampleLine } from './sample-lines.ts'

const agentic = {
  ...{ sample_id: 's', video_id: 'v', task: 'agentic_task', duration: 60 },
  conversations: [
    { role: 'user', content: 'How many cars?' },
    {
      ...{ role: 'assistant', content: 'Four.' },
      tool_calls: [
        { tool: 'count_objects', parameters: { timestamp: '0:10', object_query: 'cars' }, expected_response: '4 cars' },
      ],
    },
  ],
}

test('agentic turns are not asked of an agent that lacks the tools they expect', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  writeFileSync(join(line.cwd, 'postvalid_tools_v1_test.jsonl'), `${JSON.stringify(agentic)}\n`)
  const run = ['bench', 'run', 'longshot', '--data', '.', '--profile', 'embedded', '--dry-run']
  for (const wish of [[], ['--task', 'tools']]) {
    const refused = await line.run(...run, ...wish)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/expects calls of count_objects, which the agent does not have/)
    expect(refused.stderr).toContain('--set tools.sets=longshot')
  }
  for (const wish of [
    ['--set', 'tools.sets=longshot'],
    ['--task', 'answer'],
  ])
    expect((await line.run(...run, ...wish)).stderr).not.toContain('expects calls')
})

test('a report warns where a planner called nothing in most agentic turns', () => {
  const call = '```json\n{"tool_calls": [{"tool": "count_objects", "parameters": {}}]}\n```'
  const none = '```json\n{"tool_calls": []}\n```'
  const notes = (...replies: string[]) => {
    const lines = replies.map((tools, i) => {
      const line = sampleLine({ id: String(i), score: 0 })
      return { ...line, grades: { tools: { score: 0, rule: 'compared' } }, replies: { tools } }
    })
    const run = { samples: lines.length, options: {}, by: 'longtake' } as unknown as BenchRun
    return runNotes({ run, benchmark: longshot, lines, finished: true })
  }
  expect(notes(none, none, call)).toEqual([
    'In 2 of 3 agentic turns no tool was called: the planner may not know how to.',
  ])
  expect(notes(none, call)).toEqual([])
})
