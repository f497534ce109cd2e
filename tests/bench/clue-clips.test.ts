import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadBenchmark } from '../../eval/benchmarks/index.ts'
import type { Sample } from '../../eval/data/sample.ts'
import { withClips } from '../../eval/protocols/clue-clips.ts'
import { findBenchFiles } from '../../eval/runner/find-files.ts'
import { commandLine } from '../support/command-line.ts'

const { signal } = new AbortController()
const say = () => {}

// A set whose videos are called by numbers, as its clips are.
function numbered(): string {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-clips-'))
  const right = { question: 'Which?', choices: ['red', 'blue'], right_answer: 'A', answer: 'red', duration: 6 }
  writeFileSync(
    join(folder, 'cgbench_mini.json'),
    JSON.stringify([{ ...right, qid: 1, video_uid: '2', clue_intervals: [[1, 2]] }]),
  )
  mkdirSync(join(folder, 'cg_videos_720p'))
  for (const name of ['1.mp4', '2.mp4']) writeFileSync(join(folder, 'cg_videos_720p', name), 'no video')
  return folder
}

test('a video is never taken for the clip of the same number', async () => {
  const data = numbered()
  const clip = 'cg_clue_videos/1.mp4'
  const benchmark = await loadBenchmark('cg-bench')
  const sample = { id: '1', video: clip, cut: { video: 'cg_videos_720p/2.mp4', spans: [] }, question: { text: '' } }
  const find = async () => {
    const request = { data, tasks: ['long_acc'], by: 'alone' } as unknown as Parameters<typeof findBenchFiles>[0]
    const world = { home: data, say, signal } as unknown as Parameters<typeof findBenchFiles>[4]
    const samples = [sample as unknown as Sample]
    return (await findBenchFiles(request, benchmark, samples, { blind: false, looksBeside: false }, world)).find
  }
  expect((await find())(clip)).toEqual({ fault: expect.stringContaining('must lie in a folder cg_clue_videos') })
  expect((await find())('cg_videos_720p/2.mp4')).toEqual({ path: join(data, 'cg_videos_720p', '2.mp4') })
  mkdirSync(join(data, 'more', 'cg_clue_videos'), { recursive: true })
  writeFileSync(join(data, 'more', clip), '')
  expect((await find())(clip)).toEqual({ path: join(data, 'more', clip) })
})

test('a clip that cannot be cut is a fault of its question alone', async () => {
  const path = join(numbered(), 'cg_videos_720p', '2.mp4')
  const files = {
    find: (name: string) => (name === 'v' ? { path } : { fault: 'not there' }),
    findSubtitles: () => ({ fault: 'none' }),
  }
  const cut = { video: 'v', spans: [{ start: 1, end: 2 }] }
  const { find } = await withClips([{ id: '1', video: 'clip', cut } as unknown as Sample], files, {
    ...{ folder: join(path, '..', 'clips'), say, signal },
  })
  expect(find('clip')).toEqual({ fault: expect.stringMatching(/^It cannot be cut from v: /) })
})

test('nothing is cut for a run that is refused', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const { code, stderr } = await line.run(
    ...[
      'bench',
      'run',
      'cg-bench',
      '--data',
      numbered(),
      '--option',
      'clues=only',
      '--by',
      'model',
      '--task',
      'clue_ac',
    ],
  )
  expect([code, stderr]).toEqual([2, expect.stringContaining('clue_ac')])
  expect(stderr).not.toContain('are cut from')
})
