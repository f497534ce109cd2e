import { groupBy } from '../../data/group.ts'
import { type Interval, intervalIoU } from '../../metrics/intervals.ts'
import { roundHalfEven, roundScaled } from '../../metrics/rounding.ts'
import { blank, numbersIn, standingAlone, wordLetter } from '../../python/text.ts'
import { asNumber, type PythonValue } from '../../python/value.ts'
import type { CgBenchRecord } from './record.ts'
import { fenced, fencedResult, listedIntervals } from './reply.ts'

// The same benchmark as VLMEvalKit reads and rates it; -1 is "no result" there. Where a number is compared with one that
// VLMEvalKit printed, it must be made this way.
const bareWord = new RegExp(`(?<=:${blank})([A-Za-z_]${wordLetter}*)`, 'gu')
const failed = 'Failed to obtain answer via API.'

export function vlmLetter(reply: string | null, right: string): number {
  if (!reply) return -1
  const json = fencedResult(reply, content => content.replace(bareWord, '"$1"'))
  if (json) return json.result === right ? 1 : 0
  const letters = reply.match(standingAlone('A-H'))
  return letters ? Number(letters.includes(right)) : -1
}

export function vlmGrounding(reply: string | null, clues: readonly Interval[], duration: number): number {
  if (!reply) return -1
  const json = fencedResult(reply)
  if (json && !Array.isArray(json.result)) return -1
  const listed = json && Array.isArray(json.result) ? inSeconds(json.result, duration) : undefined
  if (listed) return intervalIoU(clues, listed)
  const numbers = numbersIn(reply)
  if (numbers.length < 2) return -1
  const pairs = Array.from(
    { length: Math.floor(numbers.length / 2) },
    (_, i): Interval => [numbers[2 * i], numbers[2 * i + 1]],
  )
  return intervalIoU(clues, pairs)
}

export function vlmOpen(reply: string | null): PythonValue {
  if (!reply || reply === failed) return -1n
  const result = fencedResult(reply)?.result
  return result === undefined || asNumber(result) === -1 ? reply : result
}

export function vlmVerdict(reply: string | null, step: 1 | 2): PythonValue {
  if (!reply || reply === failed) return -1n
  if (fenced(reply) !== '') {
    const result = fencedResult(reply)?.result
    if (result === undefined) return -1n
    if (asNumber(result) !== -1) return result
  }
  const digit = (step === 1 ? /[012]/ : /[01]/).exec(reply)?.[0]
  return digit ? BigInt(digit) : -1n
}

// A flat [start, end] is one interval; numbers that are all at most 1 are shares of the video.
function inSeconds(result: PythonValue[], duration: number): Interval[] | undefined {
  if (result.length === 0) return undefined
  const nested = Array.isArray(result[0]) ? result : [result]
  const share = areShares(nested)
  if (share === undefined) return undefined
  if (!share) return listedIntervals(nested)
  return listedIntervals(nested.map(item => (Array.isArray(item) ? item.slice(0, 2) : item)))?.map(
    ([start, end]): Interval => [start * duration, end * duration],
  )
}

function areShares(nested: PythonValue[]): boolean | undefined {
  for (const item of nested) {
    const [start, end] = Array.isArray(item) ? [asNumber(item[0]), asNumber(item[1])] : []
    if (start === undefined) return undefined
    if (!(start <= 1)) return false
    if (end === undefined) return undefined
    if (!(end <= 1)) return false
  }
  return true
}

export const vlmDurations = ['0 ~ 10', '10 ~ 20', '20 ~ 30', '30 ~ 40', '40 ~ 50', '50 ~ 60', '60+']

// Minutes, each bin with its upper end.
export function durationBin(seconds: number): string {
  const bin = [10, 20, 30, 40, 50, 60].findIndex(end => seconds / 60 <= end)
  return vlmDurations[bin < 0 ? 6 : bin]
}

export interface VlmScored {
  record: CgBenchRecord
  long: number
  clue: number
  miou: number
}

const thresholds = [0.1, 0.2, 0.3, 0.4, 0.5]

// Its table: every mean rounded to four digits, acc@iou and rec@iou by threshold first, thresholds strictly above.
export function vlmRating(scored: readonly VlmScored[]): Record<string, Record<string, unknown>> {
  const measures: Record<string, (of: readonly VlmScored[]) => number> = {
    long_acc: of => meanOf(of.map(item => item.long)),
    clue_acc: of => meanOf(of.map(item => item.clue)),
    miou: of => meanOf(of.map(item => item.miou)),
    CRR: contextRecovery,
    'acc@iou': accuracyAtIoU,
    'rec@iou': recallAtIoU,
  }
  const groups: Record<string, (record: CgBenchRecord) => string> = {
    duration: record => durationBin(record.duration),
    domain: record => record.domain,
    sub_category: record => record.sub_category,
  }
  return Object.fromEntries(
    Object.entries(measures).map(([name, measure]) => [
      name,
      {
        overall: measure(scored),
        ...Object.fromEntries(
          Object.entries(groups).map(([way, key]) => [
            way,
            Object.fromEntries(
              [...groupBy(scored, item => key(item.record))].map(([value, of]) => [value, measure(of)]),
            ),
          ]),
        ),
      },
    ]),
  )
}

function meanOf(values: readonly number[]): number {
  const valid = values.filter(value => value !== -1)
  return valid.length === 0 ? 0 : roundScaled(rawMean(valid), 4)
}

function contextRecovery(scored: readonly VlmScored[]): number {
  const long = rawMean(scored.map(item => item.long).filter(value => value !== -1))
  const clue = rawMean(scored.map(item => item.clue).filter(value => value !== -1))
  return clue === 0 ? 0 : roundScaled(Math.min(long, clue) / clue, 4)
}

function accuracyAtIoU(scored: readonly VlmScored[]): number {
  const both = scored.filter(item => item.miou !== -1 && item.long !== -1)
  const share = (threshold: number) =>
    both.length === 0 ? 0 : both.filter(item => item.miou > threshold && item.long === 1).length / both.length
  return roundHalfEven(rawMean(thresholds.map(threshold => roundHalfEven(share(threshold), 4))), 4)
}

function recallAtIoU(scored: readonly VlmScored[]): number {
  const valid = scored.filter(item => item.miou !== -1)
  const share = (threshold: number) =>
    valid.length === 0 ? 0 : valid.filter(item => item.miou > threshold).length / valid.length
  return roundHalfEven(rawMean(thresholds.map(threshold => roundHalfEven(share(threshold), 4))), 4)
}

function rawMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
