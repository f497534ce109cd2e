// Start and end in seconds.
export type Interval = readonly [start: number, end: number]

// Sorted by start; joined where one begins before or when the other ends. Nothing is checked: a reversed interval keeps
// its negative length, which is what the released scorers add up.
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: [number, number][] = []
  for (const [start, end] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = later(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

// Length of what both cover over length of what either covers, both sides merged first; 0 if there is no length.
export function intervalIoU(predicted: readonly Interval[], truth: readonly Interval[]): number {
  const predictedMerged = mergeIntervals(predicted)
  const right = mergeIntervals(truth)
  let shared = 0
  for (const [start, end] of predictedMerged)
    for (const [otherStart, otherEnd] of right) shared += later(0, sooner(end, otherEnd) - later(start, otherStart))
  const union = totalLength(predictedMerged) + totalLength(right) - shared
  return union > 0 ? shared / union : 0
}

// What of a prediction can be meant: real intervals inside the video, and no more of them than asked for.
export function validIntervals(intervals: readonly Interval[], limits: { duration: number; max: number }): Interval[] {
  return intervals
    .filter(([start, end]) => Number.isFinite(start) && Number.isFinite(end) && end > start)
    .map(([start, end]): Interval => [clip(start, limits.duration), clip(end, limits.duration)])
    .filter(([start, end]) => end > start)
    .slice(0, limits.max)
}

// The intervals of one reply, as they stand there.
export interface NamedIntervals {
  intervals: readonly Interval[]
  isClock: boolean // written as "1:23"
  duration: number // of the video, in seconds
}

// Replies whose times cannot be seconds, a sentence for each kind, with what they seem to be if most are so.
export function describeWrongUnits(replies: readonly NamedIntervals[]): string[] {
  const plain = replies.filter(({ isClock }) => !isClock)
  const outside = plain.filter(({ intervals, duration }) => intervals.every(([start]) => start >= duration))
  const underSecond = plain.filter(({ intervals, duration }) => duration > 10 && intervals.every(isUnderSecond))
  const reach = Math.max(...outside.flatMap(({ intervals, duration }) => intervals.map(([, end]) => end / duration)))
  const guess = (of: readonly unknown[], unit: string) =>
    of.length > replies.length / 2 ? `: the times seem to be ${unit}` : ''
  const sentences: [of: readonly unknown[], text: string][] = [
    [
      outside,
      `name only times outside of their video${guess(outside, reach > 100 ? 'milliseconds' : 'frame numbers')}`,
    ],
    [underSecond, `name only times below one second${guess(underSecond, 'fractions of the length')}`],
    [
      replies.filter(({ isClock }) => isClock),
      'write times as "1:23", and the official reader takes each number for seconds',
    ],
  ]
  return sentences.flatMap(([of, text]) =>
    of.length > 0 ? [`${of.length} of ${replies.length} replies with times ${text}.`] : [],
  )
}

function isUnderSecond([, end]: Interval): boolean {
  return end > 0 && end <= 1
}

// The share of values that reach each threshold, averaged over the thresholds; null if there are no values.
export function meanShare(values: readonly number[], thresholds: readonly number[]): number | null {
  if (values.length === 0) return null
  const shares = thresholds.map(threshold => values.filter(value => value >= threshold).length / values.length)
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

export function totalLength(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [start, end]) => sum + (end - start), 0)
}

// Unlike Math.max and Math.min, a comparison with NaN keeps the first.
function later(a: number, b: number): number {
  return b > a ? b : a
}

function sooner(a: number, b: number): number {
  return b < a ? b : a
}

function clip(time: number, duration: number): number {
  return Math.min(Math.max(0, time), duration)
}
