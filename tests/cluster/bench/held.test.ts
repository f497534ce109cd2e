import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { model, says } from '../../bench/sent-requests.ts'
import { type CommandLine, commandLine } from '../../support/command-line.ts'

// What workers hold is not gone on with alone where nobody can ask the cluster for it.
function put(line: CommandLine, path: string, value: unknown): string {
  const file = join(line.cwd, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(value))
  return file
}

test('a making that workers hold is refused without a cluster, begun again or resumed; a dry run asks nobody', async () => {
  const line = commandLine()
  put(line, 'set/made/cluster.json', { run: 'set-1' })
  const from = put(line, 'videos/talk.mp4', 'no film')
  const wish = { format: 1, recipe: 'cg-bench', from: [from], seed: 1, options: [], exclude: [] }
  put(line, 'set/made/request.json', wish)
  const set = join(line.cwd, 'set')
  const refused = expect.stringContaining('Workers of a cluster have the making set-1, and no cluster is set here.')
  const begun = ['bench', 'make', 'cg-bench', '--from', join(line.cwd, 'videos'), '--out', set]
  for (const words of [begun, ['bench', 'make', '--resume', set]]) {
    const { code, stderr } = await line.run(...words)
    expect([code, stderr]).toEqual([2, refused])
  }
  const dry = await line.run(...begun, '--dry-run')
  expect(dry.stderr).not.toContain('Workers of a cluster')
})

test('a run that workers hold is refused without a cluster', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const question = {
    ...{ qid: 1, video_uid: 'v', question: 'What is it?', answer: 'red', domain: 'D', duration: 90 },
    ...{ choices: ['red', 'blue'], right_answer: 'A', clue_intervals: [[1, 2]] },
  }
  const words = ['bench', 'run', 'cg-bench', '--data', put(line, 'cgbench_mini.json', [question]), ...model]
  const alone = [...words, ...says('A'), '--option', 'frames=0', '--option', 'subtitles=off', '--task', 'long_acc']
  const first = await line.run(...alone, '--out', join(line.cwd, 'out'))
  expect(first.code, first.stderr).toBe(0)
  put(line, 'out/cluster.json', { run: 'out-1' })
  const { code, stderr } = await line.run(...alone, '--resume', join(line.cwd, 'out'))
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('Workers of a cluster have the run out-1, and no cluster is set here.'),
  ])
})
