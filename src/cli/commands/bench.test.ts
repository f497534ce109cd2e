import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { benchmarkNames as known } from '../../../eval/benchmarks/index.ts'
import { commandLine } from '../../../tests/support/command-line.ts'
import { oracle, oraclePath, withOracle } from '../../../tests/support/oracle.ts'

describe('bench list and bench show', () => {
  test('name every benchmark, and say what to fetch and under which licence', async () => {
    const line = commandLine()
    const { benchmarks } = JSON.parse((await line.run('bench', 'list', '--json')).stdout)
    expect(benchmarks.map((one: { name: string }) => one.name)).toEqual(known)
    for (const name of known) {
      const { code, stdout } = await line.run('bench', 'show', name)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^Licence {2}\S/m)
      expect(stdout).toMatch(/^What to fetch\n\S/m)
    }
  })
})

withOracle('../data/cg-bench/cgbench_mini.json', 'cg-bench/real3000_replies.json')(
  'bench score of 3,000 replies',
  () => {
    test('prints one object that equals the released scorer, from the file or its folder', async () => {
      const line = commandLine()
      const replies = oracle<{ qid: number; long_acc: string }[]>('cg-bench/real3000_replies.json')
      const file = join(line.cwd, 'replies.jsonl')
      writeFileSync(
        file,
        replies.map(({ qid, ...texts }) => `${JSON.stringify({ id: qid, replies: texts })}\n`).join(''),
      )
      const data = oraclePath('../data/cg-bench/cgbench_mini.json')
      const score = async (path: string, scoring: string) =>
        JSON.parse(
          (
            await line.run(
              'bench',
              'score',
              'cg-bench',
              '--data',
              path,
              '--replies',
              file,
              '--scoring',
              scoring,
              '--json',
            )
          ).stdout,
        )
      const official = await score(data, 'official')
      expect(Object.keys(official)).toEqual([
        'schemaVersion',
        'benchmark',
        'scoring',
        'n',
        'metrics',
        'groups',
        'excluded',
      ])
      expect(official).toMatchObject({ benchmark: 'cg-bench', scoring: 'official', n: 3000 })
      expect(official.metrics.long_acc).toBeCloseTo(51.98494182067077, 10)
      expect(official.metrics.crr).toBeCloseTo(79.34113103689992, 10)
      const strict = await score(join(data, '..'), 'strict')
      expect(strict.metrics.long_acc).toBeCloseTo(50.63333333333333, 10)
    })
  },
)

describe('bench score', () => {
  test('needs replies, and needs data for all but longshot', async () => {
    const line = commandLine()
    expect((await line.run('bench', 'score', 'allvb', '--data', '.')).stderr).toContain('--replies is missing')
    const { code, stderr } = await line.run('bench', 'score', 'allvb', '--replies', 'x.jsonl')
    expect(code).toBe(2)
    expect(stderr).toContain('--data is missing')
  })
})
