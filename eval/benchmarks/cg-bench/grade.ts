import { groupRows } from '../../data/group.ts'
import type { Sample, Scoring } from '../../data/sample.ts'
import type { Grade } from '../../data/sample-line.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import {
  describeWrongUnits,
  type Interval,
  intervalIoU,
  meanShare,
  type NamedIntervals,
  validIntervals,
} from '../../metrics/intervals.ts'
import { toPlain } from '../../python/value.ts'
import type { Graded, Sum, TaskReply } from '../benchmark.ts'
import { countGrades, countReasons, meanInPercent } from '../grades.ts'
import { type CgBenchRecord, durationBin } from './record.ts'
import { isFinal, isRight, namedIntervals, readCgBenchVerdict, readGrounding, readLetter, readOpen } from './reply.ts'

// IoU thresholds of rec@IoU and acc@IoU. The released script counts a value on the threshold; the paper writes "above".
const iouThresholds = [0.1, 0.2, 0.3, 0.4, 0.5]
export const maxIntervals = 5

export function gradeCgBench(sample: Sample<CgBenchRecord>, task: string, given: TaskReply): Grade {
  if (given.read !== undefined) return { score: given.read, rule: 'read by the released tools' }
  if (task === 'open') return openGrade(sample, given)
  return task === 'miou' ? groundingGrade(sample.record, given) : letterGrade(sample.record, given)
}

function letterGrade({ right_answer }: CgBenchRecord, { reply }: TaskReply): Grade {
  const { value, rule } = readLetter(reply, right_answer)
  const reason = rule === 'empty' ? 'no reply' : 'no letter A to H in the reply'
  return {
    score: value ?? 0,
    rule,
    value: readReplyChoice(reply, { count: 8 }).letter,
    ...(value === null && { reason }),
    official: { score: value, ...(value === null && { reason }) },
  }
}

const groundingReasons: Record<string, string> = {
  empty: 'no reply',
  'odd count': 'an odd number of numbers cannot be paired',
  'overlap outside JSON': 'the released scorer raises on overlapping pairs outside JSON',
}

function groundingGrade({ duration, clue_intervals }: CgBenchRecord, { reply }: TaskReply): Grade {
  const named = namedIntervals(reply) ?? []
  const valid = validIntervals(named, { duration, max: maxIntervals })
  const clues = clue_intervals.map(([start, end]): Interval => [start, end])
  const { value, rule } = readGrounding(reply, clue_intervals)
  return {
    score: intervalIoU(valid, clues),
    rule: valid.length === 0 ? 'no interval' : 'intervals',
    value: valid,
    gold: clues,
    ...(named.length === 0 && { reason: reply ? 'no interval in the reply' : 'no reply' }),
    official: { score: value, ...(value === null && { reason: groundingReasons[rule] }) },
  }
}

// The first step decides 0 and 1; anything else it says goes to the second, which has looked at the clues.
function openGrade({ reference: gold }: Sample, { reply, judge }: TaskReply): Grade {
  const { value } = readOpen(reply)
  const comparison = { value: toPlain(value), gold }
  const without = (reason: string) => ({ score: null, rule: reason, reason, ...comparison })
  if (value === null) return without('no reply')
  const first = readCgBenchVerdict(judge.step_1, 1).value
  if (first === null) return without('no verdict of step 1')
  const verdict = isFinal(first) ? first : readCgBenchVerdict(judge.step_2, 2).value
  if (verdict === null) return without('no verdict of step 2')
  return { score: Number(isRight(verdict)), rule: isFinal(first) ? 'step 1' : 'step 2', ...comparison }
}

type Scored = Record<string, number | null> // by task; one that was not run has none

// Means over the records with a value; strict counts a missing value as 0.
export const sumCgBench: Sum<CgBenchRecord> = (graded, scoring, asked) => {
  const ways: Record<string, (record: CgBenchRecord) => string> = {
    domain: record => record.domain,
    sub_category: record => record.sub_category,
    duration: record => durationBin(record.duration),
  }
  const scored = graded.map(item => ({ record: item.record, scores: scoreTasks(item, scoring, asked) }))
  const row = (of: typeof scored) => ({ n: of.length, ...computeMetrics(of.map(item => item.scores)) })
  return {
    metrics: computeMetrics(scored.map(item => item.scores)),
    groups: {
      ...Object.fromEntries(
        Object.entries(ways).map(([way, key]) => [way, groupRows(scored, item => key(item.record), row)]),
      ),
      ...byThreshold(scored.map(item => item.scores)),
    },
    excluded: countReasons(graded, asked, scoring),
    notes: asked.has('miou') ? describeWrongUnits(graded.flatMap(namedIn)) : [],
  }
}

function namedIn({ line, record }: Graded<CgBenchRecord>): NamedIntervals[] {
  const reply = line?.replies.miou ?? ''
  const isClock = /\d:\d\d/.test(reply)
  const intervals = namedIntervals(reply) ?? []
  return isClock || intervals.length > 0 ? [{ intervals, isClock, duration: record.duration }] : []
}

function scoreTasks(item: Graded<CgBenchRecord>, scoring: Scoring, asked: ReadonlySet<string>): Scored {
  const missing = scoring === 'strict' ? 0 : null
  return Object.fromEntries([...asked].map(task => [task, countGrades(item, task, scoring).score ?? missing]))
}

// A task that was not run has no metric.
function computeMetrics(scored: readonly Scored[]): Record<string, number | null> {
  const values = (task: string) => scored.map(scores => scores[task] ?? null).filter(value => value !== null)
  const long = meanInPercent(values('long_acc'))
  const clue = meanInPercent(values('clue_acc'))
  const recall = meanShare(values('miou'), iouThresholds)
  return {
    long_acc: long,
    clue_acc: clue,
    miou: meanInPercent(values('miou')),
    rec_at_iou: recall === null ? null : recall * 100,
    acc_at_iou: accuracyAtIoU(scored),
    rec_at_iou_0: meanInPercent(values('miou').map(above(0))),
    acc_at_iou_0: meanInPercent(rightAndFound(scored).map(above(0))),
    crr: long === null || clue === null ? null : clue === 0 ? 0 : (Math.min(long, clue) / clue) * 100,
    oe_acc: meanInPercent(values('open')),
  }
}

// Right and well grounded, over the records that have both results.
function accuracyAtIoU(scored: readonly Scored[]): number | null {
  const share = meanShare(rightAndFound(scored), iouThresholds)
  return share === null ? null : share * 100
}

// The IoU of each record with both results, below 0 if the choice is wrong.
function rightAndFound(scored: readonly Scored[]): number[] {
  return scored.flatMap(({ long_acc = null, miou = null }) =>
    long_acc === null || miou === null ? [] : [long_acc === 1 ? miou : -1],
  )
}

// 0 is above nothing: the paper's ablations count any overlap.
function above(threshold: number): (value: number) => number {
  return value => Number(threshold === 0 ? value > 0 : value >= threshold)
}

// The two metrics at each threshold only, if grounding was asked.
function byThreshold(scored: readonly Scored[]): Record<string, Record<string, Record<string, number | null>>> {
  const ious = scored.flatMap(({ miou = null }) => miou ?? [])
  if (ious.length === 0) return {}
  const both = rightAndFound(scored)
  const rows = [0, ...iouThresholds].map(iou => [
    `IoU ${iou === 0 ? '> 0' : `>= ${iou}`}`,
    {
      n: ious.length,
      rec_at_iou: meanInPercent(ious.map(above(iou))),
      acc_at_iou: meanInPercent(both.map(above(iou))),
    },
  ])
  return { threshold: Object.fromEntries(rows) }
}
