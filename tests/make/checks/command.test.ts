import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MadeSet } from '../../../eval/data/benchmark-json.ts'
import { commandLine } from '../../support/command-line.ts'

// 60 questions of CG-Bench's form; where they are easy, the key is the longest option of each.
function write(folder: string, easy: boolean): void {
  mkdirSync(folder, { recursive: true })
  const records = Array.from({ length: 60 }, (_, n) => {
    const right = n % 4
    const choices = [0, 1, 2, 3].map(at => `thing${n}${'xyzw'[at]}${easy && at === right ? ' with more to it' : ''}`)
    return {
      ...{ qid: n, video_uid: `v${n % 7}`, question: `What is number ${n}?`, answer: choices[right], choices },
      ...{ right_answer: 'ABCD'[right], clue_intervals: [[n, n + 5]], duration: 900, domain: 'd', sub_category: 's' },
    }
  })
  writeFileSync(join(folder, 'cgbench.json'), JSON.stringify(records))
}

test('bench check exits 6 where options alone give the keys away, 0 where they do not, and prints the table or JSON', async () => {
  const line = commandLine()
  write(join(line.cwd, 'easy'), true)
  write(join(line.cwd, 'sound'), false)
  const sound = await line.run('bench', 'check', 'sound')
  expect([sound.code, sound.stderr]).toEqual([0, ''])
  expect(sound.stdout).toContain('cg-bench, full: 60 questions on 7 videos')
  expect(sound.stdout).toMatch(/K12 +clue +- +not run: the data hold no rows of the index/)
  const easy = await line.run('bench', 'check', 'easy', '--json')
  expect(easy.code).toBe(6)
  const { schemaVersion, shallow, checks } = JSON.parse(easy.stdout)
  expect(schemaVersion).toBe(1)
  expect(shallow[0]).toMatchObject({ solver: 'longest', n: 60, right: 60, accuracy: 100, chance: 25 })
  expect(checks.map((one: { k: number }) => one.k)).toEqual(Array.from({ length: 18 }, (_, at) => at + 1))
})

const madeSet: MadeSet = {
  ...{ format: 1, recipe: 'cg-bench', recipeVersion: '1', annotations: ['cgbench.json'], split: 'made', seed: 1 },
  ...{ canary: 'longtake-made 0', counts: { videos: 7, drafted: 60, kept: 60, rejected: {} }, roles: {}, notRun: [] },
  ...{ prompts: {}, filters: [], reviewed: { items: 0 }, licence: 'not stated' },
}

test('bench check says which benchmark it cannot tell, and takes a word for it', async () => {
  const line = commandLine()
  writeFileSync(join(line.cwd, 'questions.json'), '[]')
  const unknown = await line.run('bench', 'check', 'questions.json')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('do not tell which benchmark they are of')
  expect(unknown.stderr).toContain('--benchmark')
  const absent = await line.run('bench', 'check', 'nowhere')
  expect([absent.code, absent.stderr.includes('There is nothing at')]).toEqual([2, true])
  write(join(line.cwd, 'set'), false)
  writeFileSync(join(line.cwd, 'set', 'benchmark.json'), JSON.stringify(madeSet))
  expect((await line.run('bench', 'check', 'set', '--benchmark', 'cg-bench')).code).toBe(0)
  const wrong = await line.run('bench', 'check', 'set', '--benchmark', 'cgbench')
  expect(wrong.code).toBe(2)
})
