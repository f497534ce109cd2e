import { UsageError } from '../../src/core/errors.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { type Aim, measureAims } from '../metrics/aim.ts'
import { type PairedResult, pairedBootstrap } from '../metrics/statistics/bootstrap.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { holm, mcNemarExact } from '../metrics/statistics/significance.ts'
import type { BenchRun } from '../runner/files/run-files.ts'
import { settingsThatDiffer } from '../runner/files/run-folder.ts'
import { hasVideo } from './availability.ts'
import { isNotJudged } from './task-rows.ts'
import { judgedByWords } from './titles.ts'

interface TaskComparison {
  task: string
  n: number // samples with this task in both runs
  a: number // per cent, strictly
  b: number
  paired: PairedResult // of b - a, in points, drawn by video
  mcNemar: { onlyA: number; onlyB: number; p: number; corrected: number } | null // null if scores lie between wrong and right
  changed: { id: string; a: number; b: number }[]
}

export interface RunDifferences {
  benchmark: string
  a: string
  b: string
  settings: string[] // in which the runs differ
  onlyInA: number // samples that the other run does not have
  onlyInB: number
  unseen: number // in both, but the video was missing for one of them or both
  tasks: TaskComparison[]
  aim: { name: string; aim: Aim[] }[] // of either, over the questions that both have
  byWords: string[] // tasks that a judge by words graded in one of the runs
  notJudged: string[] // tasks whose answers no judge has judged in one of the runs
  judging: string[] // of either run: who judged it, whether that judge was checked, and whether it judged itself
}

export interface ComparedRun {
  name: string
  run: BenchRun
  config: unknown
  lines: readonly SampleLine[]
  judgedTasks?: readonly string[]
  judging?: string // who judged, and whether that judge was checked
  selfJudging?: string
}

// Two runs over the same questions. p values of several tasks are corrected together (Holm).
export function compareReports(a: ComparedRun, b: ComparedRun): RunDifferences {
  if (a.run.benchmark !== b.run.benchmark)
    throw new UsageError(`One run is of ${a.run.benchmark}, the other of ${b.run.benchmark}.`, {
      hint: 'Compare two runs of one benchmark.',
    })
  const other = new Map(b.lines.map(line => [line.id, line]))
  const common = a.lines.flatMap(line => {
    const twin = other.get(line.id)
    return twin && twin.question.text === line.question.text ? [{ a: line, b: twin }] : []
  })
  const pairs = common.filter(pair => hasVideo(pair.a) && hasVideo(pair.b))
  if (common.length > 0 && pairs.length === 0)
    throw new UsageError('There is no question whose video was there in both runs.', {
      hint: 'Fetch the missing videos and resume the runs with --resume.',
    })
  if (pairs.length === 0)
    throw new UsageError('The two runs have no question in common.', { hint: 'Compare runs over the same data.' })
  const bothTasks = a.run.tasks.filter(task => b.run.tasks.includes(task))
  const notJudged = bothTasks.filter(task => [a, b].some(({ lines }) => isNotJudged(lines, task)))
  const tasks = bothTasks.filter(task => !notJudged.includes(task))
  const compared = tasks.flatMap(task => compareTask(task, pairs) ?? [])
  const tests = compared.flatMap(task => task.mcNemar ?? [])
  const corrected = holm(tests.map(test => test.p))
  for (const [at, test] of tests.entries()) test.corrected = corrected[at] ?? test.p
  return {
    benchmark: a.run.benchmark,
    a: a.name,
    b: b.name,
    settings: settingsThatDiffer(a.config, b.config),
    onlyInA: a.lines.length - common.length,
    onlyInB: b.lines.length - common.length,
    unseen: common.length - pairs.length,
    tasks: compared,
    aim: (['a', 'b'] as const)
      .filter(of => ({ a, b })[of].run.by !== 'alone') // it cites nothing
      .map(of => ({
        name: { a, b }[of].name,
        aim: measureAims(
          pairs.map(pair => pair[of]),
          tasks,
        ),
      })),
    notJudged,
    judging: [a, b].flatMap(({ name, judging, selfJudging }) =>
      judging === undefined
        ? []
        : [`Judge of ${name}: ${judging}.${selfJudging === undefined ? '' : ` ${selfJudging}`}`],
    ),
    byWords: tasks.filter(task =>
      [a, b].some(({ run, judgedTasks = [] }) => judgedByWords(run) && judgedTasks.includes(task)),
    ),
  }
}

function compareTask(task: string, pairs: readonly { a: SampleLine; b: SampleLine }[]): TaskComparison | undefined {
  const both = pairs.flatMap(({ a, b }) =>
    a.grades[task] && b.grades[task]
      ? [{ id: a.id, cluster: a.video, a: 100 * (a.grades[task].score ?? 0), b: 100 * (b.grades[task].score ?? 0) }]
      : [],
  )
  const paired = pairedBootstrap(both)
  if (!paired) return undefined
  const whole = both.every(pair => isWhole(pair.a) && isWhole(pair.b))
  const onlyA = both.filter(pair => pair.a === 100 && pair.b === 0).length
  const onlyB = both.filter(pair => pair.a === 0 && pair.b === 100).length
  const p = mcNemarExact(onlyA, onlyB)
  return {
    task,
    n: both.length,
    a: mean(both.map(pair => pair.a)),
    b: mean(both.map(pair => pair.b)),
    paired,
    mcNemar: whole ? { onlyA, onlyB, p, corrected: p } : null,
    changed: both.filter(pair => pair.a !== pair.b).map(({ id, a, b }) => ({ id, a: a / 100, b: b / 100 })),
  }
}

function isWhole(score: number): boolean {
  return score === 0 || score === 100
}
