import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadBenchmark } from '../../../eval/benchmarks/index.ts'
import type { Sample } from '../../../eval/data/sample.ts'
import type { SourceRecord } from '../../../eval/recipes/item.ts'
import type { VideoIndex } from '../../../src/core/video.ts'
import { talkSet } from '../../make/talk-set.ts'
import type { CommandLine } from '../../support/command-line.ts'
import { handMadeIndex } from '../hand-made-index.ts'
import type { Truth } from './truth.ts'

// What "bench make" makes by rules for each benchmark, of one talk.
export const recipes: Record<string, { folder: string; options: string[] }> = {
  'cg-bench': { folder: 'cg_videos_720p', options: ['minMinutes=0', 'perVideo=14'] },
  'videoeval-pro': { folder: 'videos_filtered', options: ['minMinutes=0', 'perVideo=14'] },
  infinibench: { folder: 'videos', options: [] },
  allvb: { folder: 'videos', options: ['perVideo=14'] },
  longshot: { folder: 'videos', options: [] },
}

export interface MadeSet {
  benchmark: Awaited<ReturnType<typeof loadBenchmark>>
  records: unknown[]
  samples: { sample: Sample; truth: Truth }[]
  index: VideoIndex // the rows that the questions were made from
}

export async function makeSet(recipe: string, line: CommandLine): Promise<MadeSet> {
  const { folder = '', options = [] } = recipes[recipe] ?? {}
  const { root, paths, items } = await talkSet(line, { recipe, folder, options, videos: 1 })
  const source: SourceRecord = JSON.parse(readFileSync(join(root, 'made/source/talk0.json'), 'utf8'))
  const index = handMadeIndex({
    duration: source.statistics.duration,
    rows: source.rows.map(({ id: _, ...row }) => row),
  })
  const benchmark = await loadBenchmark(recipe)
  const records = await benchmark.data.records(paths)
  const samples = records.flatMap((record, place) =>
    benchmark.samples(record, place).map(sample => {
      const { text, options } = sample.question
      const same = items.filter(item => item.question === text)
      const made = same.find(item => options?.includes(item.answer)) ?? same[0]
      if (!made) throw new Error(`No item asks: ${text}`)
      const clues = made.clues.map(([start, end]) => ({ start, end }))
      const truth = {
        question: text,
        answer: made.answer,
        options,
        right: sample.choice,
        clues,
        needs: 'rows' as const,
      }
      return { sample, truth }
    }),
  )
  return { benchmark, records, samples, index }
}
