import type { DraftItem, ItemCheck, SourceRecord } from '../item.ts'
import { rowIds } from '../texts.ts'
import { eachItem } from './parts/verdicts.ts'

// Check K3 of docs/own-benchmark.md: rows that are there, and clues that are stretches of the video.
export const evidence: ItemCheck = {
  k: 3,
  name: 'evidence',
  run: (items, { record, thresholds: { rows = 1, minIntervals = 1, maxIntervals = 5 } }) =>
    eachItem(
      items,
      item =>
        wrongRows(item, record(item.video), rows) ?? wrongClues(item, record(item.video), minIntervals, maxIntervals),
    ),
}

function wrongRows({ rows }: DraftItem, record: SourceRecord, min: number): string | undefined {
  if (rows.length < min) return `it cites ${rows.length} rows, ${min} at least`
  const knownRows = rowIds(record)
  const unknown = rows.find(id => !knownRows.has(id))
  return unknown === undefined ? undefined : `the row ${unknown} is not of this video`
}

function wrongClues(
  { clues }: DraftItem,
  { statistics: { duration } }: SourceRecord,
  min: number,
  max: number,
): string | undefined {
  if (clues.length < min || clues.length > max)
    return `it has ${clues.length} clue intervals, ${min} to ${max} are allowed`
  const ordered = [...clues].sort(([a], [b]) => a - b)
  for (const [at, [start, end]] of ordered.entries()) {
    const clueText = `the clue ${start}-${end}`
    if (!Number.isFinite(start) || !Number.isFinite(end) || end <= start) return `${clueText} is empty`
    if (start < 0 || end > duration) return `${clueText} leaves the video, which lasts ${duration} s`
    const before = ordered[at - 1]
    if (before && before[1] >= start) return `the clues ${before.join('-')} and ${start}-${end} touch and are one`
  }
  return undefined
}
