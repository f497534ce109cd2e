import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importVerdicts } from '../../../eval/review/import-verdicts.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { commandLine } from '../../support/command-line.ts'
import { type FixtureSet, fixtureSet } from '../review/reviewed-set.ts'

// Of talk, talk and walk, in this order: the second has two intervals.
let set: FixtureSet
beforeAll(async () => {
  set = await fixtureSet(3, {
    options: ['clips=true'],
    cluesOf: n =>
      [
        [[1, 3]],
        [[6, 11]],
        [
          [0, 2],
          [4, 5.5],
        ],
      ][n] as [number, number][],
  })
})
afterAll(() => set.remove())

const folder = () => join(set.folder, 'cg_clue_videos')
const lengths = async () => {
  const names = readdirSync(folder()).sort()
  const videos = await Promise.all(names.map(name => probe(join(folder(), name))))
  return Object.fromEntries(names.map((name, at) => [name, videos[at]!.duration]))
}

test('the clues of each question are a clip under its number, found by a run, and follow the numbers of a review', async () => {
  const made = await lengths()
  expect(Object.keys(made)).toEqual(['1.mp4', '2.mp4', '3.mp4'])
  expect(made['1.mp4']).toBeCloseTo(2, 1)
  expect(made['2.mp4']).toBeCloseTo(3.5, 1)
  expect(made['3.mp4']).toBeCloseTo(5, 1)
  const run = await commandLine().run(
    'bench',
    'run',
    'cg-bench',
    '--data',
    set.folder,
    '--task',
    'clue_acc',
    '--dry-run',
  )
  expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('3 questions')])
  expect(run.stdout + run.stderr).not.toMatch(/missing|left out/)
  const kept = readdirSync(join(set.folder, 'made/clips'))
  const second = readlinkSync(join(folder(), '2.mp4'))
  const file = join(set.folder, '..', 'drop.csv')
  writeFileSync(file, `item,verdict\n${set.items[0]!.id},drop\n`)
  await importVerdicts({ folder: set.folder, file, reviewer: 'anna', signal: new AbortController().signal })
  expect(readdirSync(folder()).sort()).toEqual(['1.mp4', '2.mp4'])
  expect(readlinkSync(join(folder(), '1.mp4'))).toBe(second)
  expect((await lengths())['2.mp4']).toBeCloseTo(5, 1)
  expect(readdirSync(join(set.folder, 'made/clips'))).toEqual(kept) // none is cut again
})
