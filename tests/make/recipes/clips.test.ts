import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importVerdicts } from '../../../eval/make/review/import-verdicts.ts'
import { openReview } from '../../../eval/make/review/open-review.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { commandLine } from '../../support/command-line.ts'
import { linesIn } from '../../support/line-file.ts'
import { type FixtureSet, fixtureSet, said } from '../review/reviewed-set.ts'

// Of talk, talk and walk, in this order: the second has two intervals.
let set: FixtureSet
beforeEach(async () => {
  set = await fixtureSet(3, {
    options: ['clips=true'],
    findClues: n =>
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
afterEach(() => set.remove())

const folder = () => join(set.folder, 'cg_clue_videos')
const says = (item: string, verdict: string) => {
  const file = join(set.folder, '..', 'said.csv')
  writeFileSync(file, `item,verdict\n${item},${verdict}\n`)
  return importVerdicts({ folder: set.folder, file, reviewer: 'anna', signal: new AbortController().signal })
}
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
  await says(set.items[0]!.id, 'drop')
  expect(readdirSync(folder()).sort()).toEqual(['1.mp4', '2.mp4'])
  expect(readlinkSync(join(folder(), '1.mp4'))).toBe(second)
  expect((await lengths())['2.mp4']).toBeCloseTo(5, 1)
  expect(readdirSync(join(set.folder, 'made/clips'))).toEqual(kept) // none is cut again
})

test('what would need a clip of a video that is gone is refused with its name before it is recorded, from a file and on the page', async () => {
  rmSync(join(set.folder, 'cg_videos_720p', 'talk.mp4'))
  const [ofTalk, , ofWalk] = set.items.map(one => one)
  const { signal } = new AbortController()
  const verdicts = () =>
    readdirSync(join(set.folder, 'verdicts')).flatMap(name => linesIn(join(set.folder, 'verdicts', name)))
  const bring = (...lines: object[]) => {
    const file = join(set.folder, '..', 'said.jsonl')
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    return importVerdicts({ folder: set.folder, file, reviewer: 'anna', signal })
  }
  const moved = { fixed: { clues: [[1, 4]] } }
  const missing = /videos that are not there: cg_videos_720p\/talk\.mp4/
  const kept = { item: ofWalk!.id, verdict: 'keep' }
  await expect(bring(kept, { item: ofTalk!.id, verdict: 'fix', ...moved })).rejects.toThrow(missing)
  expect(existsSync(join(set.folder, 'verdicts'))).toBe(false)
  expect(await bring(kept)).toMatchObject({ imported: 1, refused: [] })

  const review = await openReview({ folder: set.folder, reviewer: 'ben', share: 0, signal })
  await expect(review.asks.say(said(ofTalk!, 'fix', moved))).rejects.toThrow(missing)
  await review.asks.say(said(ofTalk!, 'keep'))
  expect(await review.close()).toMatchObject({ reviewed: { items: 2 } })
  expect(verdicts()).toMatchObject([
    { reviewer: 'anna', verdict: 'keep' },
    { reviewer: 'ben', verdict: 'keep' },
  ])
})

test('without the videos, clips that are kept are placed, a set with one that is not stays as it was, and one without questions has none', async () => {
  for (const name of ['talk.mp4', 'walk.mp4']) rmSync(join(set.folder, 'cg_videos_720p', name), { force: true })
  const [first, second, third] = set.items.map(({ id }) => id)
  const clipOf = (name: string) => readlinkSync(join(folder(), name))
  const [one, two] = [clipOf('1.mp4'), clipOf('2.mp4')]
  await says(first!, 'drop')
  expect(clipOf('1.mp4')).toBe(two)
  const content = () => [
    readFileSync(join(set.folder, 'cgbench.json'), 'utf8'),
    readFileSync(join(set.folder, 'benchmark.json'), 'utf8'),
    readdirSync(folder()).sort(),
  ]
  const before = content()
  rmSync(join(set.folder, 'made/clips', basename(one)))
  await expect(says(first!, 'undone')).rejects.toThrow(/talk\.mp4/)
  expect(content()).toEqual(before)
  for (const id of [first, second, third]) await says(id!, 'drop')
  expect(existsSync(folder())).toBe(false)
})
