import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { HumanRow } from '../../data/benchmark-json.ts'
import { intervalIoU } from '../../metrics/intervals.ts'
import { cohensKappa } from '../../metrics/kappa.ts'
import { wilson } from '../../metrics/statistics/accuracy.ts'
import { krippendorffsAlpha } from '../../metrics/statistics/alpha.ts'
import { mean } from '../../metrics/statistics/clusters.ts'
import { type Measure, measureWithInterval } from '../../metrics/statistics/measure.ts'
import type { DraftItem } from '../../recipes/item.ts'
import type { LineByReviewer, Reviews } from './queue.ts'
import type { Fixed } from './verdict.ts'

export const minKappa = 0.6 // below it the card says so

export type ReviewOutcome =
  | { is: 'open' | 'kept' }
  | { is: 'fixed'; fixed: Fixed }
  | { is: 'dropped'; reasons: string[] }

// Whoever would drop an item prevails, until a third has seen it; then the majority does. Of several fixes the newest counts.
export function settleReviews(held: LineByReviewer): ReviewOutcome {
  const lines = [...held.values()]
  if (lines.length === 0) return { is: 'open' }
  const drops = lines.filter(({ verdict }) => verdict === 'drop')
  if (drops.length > 0 && (lines.length < 3 || 2 * drops.length >= lines.length))
    return { is: 'dropped', reasons: [...new Set(drops.flatMap(({ reasons }) => reasons))].sort() }
  const [newest] = lines.filter(({ verdict }) => verdict === 'fix').sort((a, b) => (a.at < b.at ? 1 : -1))
  return newest?.fixed ? { is: 'fixed', fixed: newest.fixed } : { is: 'kept' }
}

interface Both {
  video: string
  pair: string // the two names
  keeps: [boolean, boolean]
  clues?: number // IoU of what both marked
}

// Keep against the rest: per pair, pooled over all pairs, and by Krippendorff; clues by their IoU.
export function reviewerAgreement(items: readonly DraftItem[], reviews: Reviews) {
  const both = items.flatMap(item => pairReviewers(item, reviews.of(item.id)))
  const byPair = groupBy(both, ({ pair }) => pair)
  const kappa = (of: readonly Both[]): Measure =>
    measureWithInterval({
      items: of,
      videoOf: one => one.video,
      statistic: all =>
        cohensKappa(
          all.map(({ keeps }) => keeps[0]),
          all.map(({ keeps }) => keeps[1]),
        ),
      undefinedAs: 'both said the same throughout',
    })
  const units = items.map(({ id }) => [...reviews.of(id).values()].map(({ verdict }) => Number(verdict === 'keep')))
  const marked = both.flatMap(({ clues }) => clues ?? [])
  return {
    kappa: kappa(both),
    alpha: krippendorffsAlpha(units, 'nominal'),
    clueIoU: marked.length > 0 ? mean(marked) : null,
    pairs: [...byPair]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([reviewers, of]) => ({ reviewers, ...kappa(of) })),
  }
}

function pairReviewers({ video }: DraftItem, held: LineByReviewer): Both[] {
  const lines = [...held.values()].sort((a, b) => (a.reviewer < b.reviewer ? -1 : 1))
  return lines.flatMap((a, at) =>
    lines.slice(at + 1).map(b => ({
      video,
      pair: `${a.reviewer}, ${b.reviewer}`,
      keeps: [a.verdict === 'keep', b.verdict === 'keep'] as [boolean, boolean],
      ...(a.clues && b.clues && { clues: intervalIoU(a.clues, b.clues) }),
    })),
  )
}

// What people answered, and marked, before they saw the key.
export function humanRow(items: readonly DraftItem[], reviews: Reviews): HumanRow {
  const reviewedLines = items.flatMap(item => [...reviews.of(item.id).values()].map(line => ({ item, line })))
  const chosen = reviewedLines.filter(({ item, line }) => item.options !== undefined && line.answered !== undefined)
  const right = chosen.filter(({ item, line }) => line.answered === item.options?.[item.right ?? -1]).length
  const { low, high } = wilson(right / chosen.length, chosen.length)
  const marked = reviewedLines.flatMap(({ item, line: { clues } }) =>
    clues && item.clues.length > 0 ? [intervalIoU(clues, item.clues)] : [],
  )
  return {
    answered: chosen.length,
    right,
    ...(chosen.length > 0 && { accuracy: (100 * right) / chosen.length, low: 100 * low, high: 100 * high }),
    marked: marked.length,
    ...(marked.length > 0 && { mIoU: 100 * mean(marked) }),
  }
}
