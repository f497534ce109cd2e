import type { ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { groupBy } from '../../data/group.ts'
import { type Replies, readReplies, strangers, wasAsked } from '../../data/replies.ts'
import { type Interval, intervalIoU, meanShare, reaches, soundIntervals } from '../../metrics/intervals.ts'
import type { CgBenchRecord } from './record.ts'
import { isFinal, isRight, namedIntervals, readGrounding, readLetter, readOpen, readVerdict } from './reply.ts'
import { durationBin } from './vlmevalkit.ts'

// IoU thresholds of rec@IoU and acc@IoU. The released script counts a value on the threshold; the paper writes "above".
export const iouThresholds = [0.1, 0.2, 0.3, 0.4, 0.5]
export const mostIntervals = 5

interface Outcome {
  value: number | null // null: no usable reply
  reason?: string
}

interface Scored {
  record: CgBenchRecord
  outcomes: Partial<Record<Task, Outcome>> // a task that was not run has none
}

const tasks = ['long_acc', 'clue_acc', 'miou', 'open'] as const
type Task = (typeof tasks)[number]

export async function scoreCgBench(records: readonly CgBenchRecord[], input: ScoreInput): Promise<Scores> {
  const replies = await readReplies(input.replies)
  const strict = input.scoring === 'strict'
  const asked = tasks.filter(task => wasAsked(replies, task))
  const scored = records.map(record => scoreRecord(record, replies, asked, strict))
  const missing = scored.flatMap(({ record, outcomes }) =>
    asked
      .filter(task => outcomes[task]?.reason)
      .map(task => ({ id: record.qid, reason: `${task}: ${outcomes[task]?.reason}` })),
  )
  const ways: Record<string, (record: CgBenchRecord) => string> = {
    domain: record => record.domain,
    sub_category: record => record.sub_category,
    duration: record => durationBin(record.duration),
  }
  return {
    benchmark: 'cg-bench',
    scoring: input.scoring,
    n: records.length,
    metrics: metricsOf(scored, strict),
    groups: Object.fromEntries(
      Object.entries(ways).map(([way, key]) => [way, groupMetrics(scored, item => key(item.record), strict)]),
    ),
    excluded: [...replies.notes, ...strangers(replies, new Set(records.map(record => record.qid))), ...missing],
  }
}

function scoreRecord(record: CgBenchRecord, replies: Replies, asked: readonly Task[], strict: boolean): Scored {
  const line = replies.byId.get(record.qid)
  const outcomes: Scored['outcomes'] = {}
  for (const task of asked) {
    const reply = line?.replies[task]
    const read = line?.results?.[task]
    if (read !== undefined) outcomes[task] = { value: read }
    else if (task === 'open') outcomes.open = openOutcome(reply, line?.judge ?? {})
    else if (task === 'miou') outcomes.miou = strict ? strictGrounding(reply, record) : grounding(reply, record)
    else outcomes[task] = letter(reply, record)
  }
  return { record, outcomes }
}

function letter(reply: string | null | undefined, record: CgBenchRecord): Outcome {
  const { value, rule } = readLetter(reply, record.right_answer)
  return value === null ? { value, reason: rule === 'empty' ? 'no reply' : 'no letter A to H in the reply' } : { value }
}

const groundingReasons: Record<string, string> = {
  empty: 'no reply',
  'odd count': 'an odd number of numbers cannot be paired',
  'overlap outside JSON': 'the released scorer raises on overlapping pairs outside JSON',
}

function grounding(reply: string | null | undefined, record: CgBenchRecord): Outcome {
  const { value, rule } = readGrounding(reply, record.clue_intervals)
  return value === null ? { value, reason: groundingReasons[rule] } : { value }
}

function strictGrounding(reply: string | null | undefined, record: CgBenchRecord): Outcome {
  const named = namedIntervals(reply)
  if (!named || named.length === 0) return { value: null, reason: reply ? 'no interval in the reply' : 'no reply' }
  const limits = { duration: record.duration, most: mostIntervals }
  const clues = record.clue_intervals.map(([start, end]): Interval => [start, end])
  return { value: intervalIoU(soundIntervals(named, limits), clues) }
}

// The first step decides 0 and 1; anything else it says goes to the second, which has looked at the clues.
function openOutcome(reply: string | null | undefined, judge: Record<string, string | null>): Outcome {
  if (readOpen(reply).value === null) return { value: null, reason: 'no reply' }
  const first = readVerdict(judge.step_1, 1).value
  if (first === null) return { value: null, reason: 'no verdict of step 1' }
  if (isFinal(first)) return { value: Number(isRight(first)) }
  const second = readVerdict(judge.step_2, 2).value
  if (second === null) return { value: null, reason: 'no verdict of step 2' }
  return { value: Number(isRight(second)) }
}

function groupMetrics(
  scored: readonly Scored[],
  key: (item: Scored) => string,
  strict: boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    [...groupBy(scored, key)].map(([name, group]) => [name, { n: group.length, ...metricsOf(group, strict) }]),
  )
}

// Means over the records with a value; strict counts a missing value as 0. A task that was not run has no metric.
function metricsOf(scored: readonly Scored[], strict: boolean): Record<string, number | null> {
  const values = (task: Task) => {
    const outcomes = scored.map(item => item.outcomes[task]).filter(outcome => outcome !== undefined)
    return outcomes.map(outcome => (strict ? (outcome.value ?? 0) : outcome.value)).filter(value => value !== null)
  }
  const long = percent(values('long_acc'))
  const clue = percent(values('clue_acc'))
  const recall = meanShare(values('miou'), iouThresholds, 'at-least')
  return {
    long_acc: long,
    clue_acc: clue,
    miou: percent(values('miou')),
    rec_at_iou: recall === null ? null : recall * 100,
    acc_at_iou: accuracyAtIoU(scored, strict),
    crr: long === null || clue === null ? null : clue === 0 ? 0 : (Math.min(long, clue) / clue) * 100,
    oe_acc: percent(values('open')),
  }
}

// Right and well grounded, over the records that have both results.
function accuracyAtIoU(scored: readonly Scored[], strict: boolean): number | null {
  const both = scored.flatMap(({ outcomes: { long_acc, miou } }) => {
    if (!long_acc || !miou) return []
    const [right, iou] = strict ? [long_acc.value ?? 0, miou.value ?? 0] : [long_acc.value, miou.value]
    return right === null || iou === null ? [] : [{ right: right === 1, iou }]
  })
  if (both.length === 0) return null
  const shares = iouThresholds.map(
    threshold => both.filter(item => item.right && reaches(item.iou, threshold, 'at-least')).length / both.length,
  )
  return (shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100
}

function percent(values: readonly number[]): number | null {
  return values.length === 0 ? null : (values.reduce((sum, value) => sum + value, 0) / values.length) * 100
}
