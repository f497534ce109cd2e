import { join } from 'node:path'
import { stableJson } from '../../src/core/json.ts'
import { listNames } from '../../src/store/read-file.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { Grade, SampleLine } from '../data/sample-line.ts'
import { computeAccuracy } from '../metrics/statistics/accuracy.ts'
import type { ConfidenceInterval } from '../metrics/statistics/bootstrap.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { linesById, readLines } from '../runner/files/run-files.ts'
import { percentText } from './numbers.ts'
import { isNotJudged } from './task-rows.ts'

// A task over all epochs of a run, strictly, in per cent: questions that every epoch has answered. The 95 % interval is of the mean:
// each question counts with its mean over the epochs, and videos are drawn.
export interface EpochScores extends ConfidenceInterval {
  task: string
  epochs: number
  n: number // questions
  means: number[] // of each epoch
  mean: number
  spread: number | null // standard deviation of these means; null for one epoch
  within: number // mean variance of a question's scores (0..1) over its epochs
  pass: number[] // pass@1 to pass@epochs: right in at least one of k
  always: number // right in every epoch
  majority: number | null // of the choice that most epochs make; null if a task has no short answers to count
  same: number // questions whose reply is the same to the letter in every epoch
}

export function epochsFolder(run: string): string {
  return join(run, 'epochs')
}

// The lines of each epoch, those of the run itself first.
async function readEpochLines(run: string, lines: readonly SampleLine[]): Promise<(readonly SampleLine[])[]> {
  const numbers = (await listNames(epochsFolder(run))).map(Number).filter(number => number >= 2)
  const laterEpochs = numbers.sort((a, b) => a - b).map(number => readLines(join(epochsFolder(run), String(number))))
  return [lines, ...(await Promise.all(laterEpochs))].filter(epoch => epoch.length > 0)
}

// Undefined for a run of one epoch.
export async function readEpochs(
  run: string,
  lines: readonly SampleLine[],
  tasks: readonly string[],
): Promise<EpochScores[] | undefined> {
  const epochs = await readEpochLines(run, lines)
  return epochs.length > 1 ? tasks.flatMap(task => scoreEpochs(epochs, task) ?? []) : undefined
}

// The lines of a run whose scores are the means over its epochs, for a comparison of questions.
export async function averageEpochs(run: string, lines: readonly SampleLine[]): Promise<SampleLine[]> {
  const epochs = (await readEpochLines(run, lines)).map(linesById)
  return lines.map(line => ({
    ...line,
    grades: Object.fromEntries(
      Object.entries(line.grades).map(([task, grade]) => {
        const scores = epochs.flatMap(epoch => epoch.get(line.id)?.grades[task]?.score ?? [])
        return [task, scores.length > 0 ? { ...grade, score: mean(scores) } : grade]
      }),
    ),
  }))
}

export function scoreEpochs(epochs: readonly (readonly SampleLine[])[], task: string): EpochScores | undefined {
  if (epochs.some(lines => isNotJudged(lines, task))) return undefined
  const [first = [], ...others] = epochs
  const maps = others.map(linesById)
  const questions = first.flatMap(line => {
    const lines = [line, ...maps.flatMap(map => map.get(line.id) ?? [])]
    const grades = lines.flatMap(one => one.grades[task] ?? [])
    return grades.length === epochs.length
      ? [{ cluster: line.video, grades, replies: lines.map(one => one.replies[task]) }]
      : []
  })
  const scored = questions.map(({ cluster, grades, replies }) => {
    const scores = grades.map(({ score }) => Math.max(0, score ?? 0))
    return {
      cluster,
      scores,
      score: mean(scores),
      majority: majorityScore(grades),
      isSame: new Set(replies).size === 1,
    }
  })
  const accuracy = computeAccuracy(scored)
  if (!accuracy) return undefined
  const count = epochs.length
  const share = (of: (one: (typeof scored)[number]) => number) => 100 * mean(scored.map(of))
  const means = epochs.map((_, at) => share(({ scores }) => scores[at] ?? 0))
  const votes = scored.flatMap(({ majority }) => majority ?? [])
  return {
    task,
    epochs: count,
    n: scored.length,
    means,
    mean: accuracy.accuracy,
    spread: deviation(means),
    low: accuracy.low,
    high: accuracy.high,
    within: mean(scored.map(({ scores }) => (deviation(scores) ?? 0) ** 2)),
    pass: epochs.map((_, at) => share(({ scores }) => passAt(at + 1, scores))),
    always: share(({ scores }) => Number(scores.every(isRight))),
    majority: votes.length === scored.length ? 100 * mean(votes) : null,
    same: scored.filter(({ isSame }) => isSame).length,
  }
}

export function epochTable(epochs: readonly EpochScores[]): ReportTable {
  const [first] = epochs
  const isFixed = epochs.every(({ same, n }) => same === n)
  return {
    title: 'Epochs',
    columns: [
      'task',
      'n',
      'epochs',
      'mean',
      '95 % interval',
      'spread',
      'each',
      'pass@1',
      `pass@${first?.epochs ?? 'k'}`,
      'always right',
      'majority',
      'same reply',
    ],
    rows: epochs.map(one => [
      one.task,
      String(one.n),
      String(one.epochs),
      percentText(one.mean),
      `${percentText(one.low)} to ${percentText(one.high)}`,
      one.spread === null ? '-' : one.spread.toFixed(2),
      one.means.map(percentText).join(', '),
      percentText(one.pass[0] ?? 0),
      percentText(one.pass.at(-1) ?? 0),
      percentText(one.always),
      one.majority === null ? '-' : percentText(one.majority),
      String(one.same),
    ]),
    notes: [
      'Strict scores in per cent, of questions that every epoch has answered. Spread: standard deviation of the epochs. The interval draws videos, each question with its mean over the epochs. pass@k: right (half of the points or more) in at least one of k. Majority: the choice that most epochs make, of two as frequent ones the earlier.',
      ...(isFixed
        ? [
            'Every epoch gave the same replies: nothing here varies from call to call, and the spread says nothing about another seed.',
          ]
        : []),
    ],
  }
}

function isRight(score: number): boolean {
  return score >= 0.5
}

function deviation(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const centre = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}

// The share of draws of k of the epochs, without putting back, that hold a right one: 1 - C(n - c, k) / C(n, k).
function passAt(k: number, scores: readonly number[]): number {
  const wrong = scores.filter(score => !isRight(score)).length
  let none = 1
  for (let at = 0; at < k; at++) none *= Math.max(0, wrong - at) / (scores.length - at)
  return 1 - none
}

// Undefined if what was read is a text of its own and no choice.
function majorityScore(grades: readonly Grade[]): number | undefined {
  const votes = new Map<string, { count: number; score: number }>()
  for (const { value, score } of grades) {
    if (typeof value === 'string' && value.length > 1) return undefined
    const key = stableJson(value ?? null)
    votes.set(key, { count: (votes.get(key)?.count ?? 0) + 1, score: score ?? 0 })
  }
  return [...votes.values()].reduce((best, vote) => (vote.count > best.count ? vote : best)).score
}
