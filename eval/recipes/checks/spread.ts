import { countValues } from '../../metrics/kappa.ts'
import type { DraftItem, ItemCheck, SourceRecord } from '../item.ts'
import { eachItem } from './parts/verdicts.ts'

export interface Spread {
  deciles: number[] // first clues by the tenth of the video that they start in
  lengths: { short: number; middle: number; long: number } // clues below 10 s, below 60 s, longer
  kinds: Record<string, number>
  difficulty: Record<string, number>
  questions: { videos: number; min: number; max: number } // of a video
}

// K16. Where the questions of a set come from; a line for each way in which one part has too many of them.
export const spread: ItemCheck = {
  k: 16,
  name: 'spread',
  scope: 'set',
  run: items => eachItem(items, () => undefined),
  warnings(items, { record, thresholds: { share = 0.2, enough = 100, kind = 0.5, perVideo = 3 } }) {
    const { deciles, kinds, questions } = measureSpread(items, record)
    const placed = deciles.reduce((sum, count) => sum + count, 0)
    const most = Math.floor(share * placed)
    const lines: string[] = []
    for (const [at, count] of deciles.entries())
      if (placed >= enough && count > share * placed)
        lines.push(`${count} of ${placed} clues start in tenth ${at + 1} of their video; ${most} at most.`)
    if (items.length < enough) return lines
    for (const [name, count] of Object.entries(kinds))
      if (count > kind * items.length) lines.push(`${count} of ${items.length} questions are of the type ${name}.`)
    const mean = items.length / Math.max(1, questions.videos)
    if (questions.max > perVideo * mean)
      lines.push(`One video has ${questions.max} questions, the mean is ${mean.toFixed(1)}.`)
    return lines
  },
}

export function measureSpread(items: readonly DraftItem[], record: (video: string) => SourceRecord): Spread {
  const deciles = Array.from({ length: 10 }, () => 0)
  const lengths = { short: 0, middle: 0, long: 0 }
  for (const { video, clues } of items) {
    const { duration } = record(video).statistics
    const first = Math.min(...clues.map(([start]) => start))
    if (clues.length > 0 && duration > 0) deciles[Math.min(9, Math.max(0, Math.floor((first / duration) * 10)))]! += 1
    for (const [start, end] of clues) lengths[end - start < 10 ? 'short' : end - start < 60 ? 'middle' : 'long'] += 1
  }
  const perVideo = Object.values(sortedCounts(items.map(({ video }) => video)))
  const levels = items.flatMap(({ extra: { difficulty } }) => (difficulty === undefined ? [] : [String(difficulty)]))
  return {
    deciles,
    lengths,
    kinds: sortedCounts(items.map(({ kind }) => kind)),
    difficulty: sortedCounts(levels),
    questions: { videos: perVideo.length, min: Math.min(...perVideo), max: Math.max(...perVideo) },
  }
}

export function sortedCounts(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...countValues(names)].sort(([a], [b]) => (a < b ? -1 : 1)))
}
