import { type Replies, type ReplyRecord, unknownLines, wasAsked } from '../data/replies.ts'
import type { Sample, Scores, Scoring } from '../data/sample.ts'
import type { Grade } from '../data/sample-line.ts'
import { letterAt } from '../metrics/choice/options.ts'
import type { Benchmark, BenchmarkTask, Graded, TaskReply } from './benchmark.ts'

// Grades a reply: the one place where that is done, while a run goes on and over a file of replies.
export function gradeReply(benchmark: Pick<Benchmark, 'grade'>, sample: Sample, task: string, given: TaskReply): Grade {
  const gold = sample.choice === undefined ? sample.reference : letterAt(sample.choice)
  const grade = benchmark.grade(sample, task, given)
  return { gold, ...grade, ...(given.reply === null && { rule: 'no reply', value: undefined }) }
}

// Every sample of the data with the grade of each of its tasks.
export interface GradedReplies<Item> {
  graded: Graded<Item>[]
  records: readonly Item[]
  asked: ReadonlySet<string> // the tasks that any line speaks of
  unjudged: string[] // those of them whose answers need a judge and had none
  notes: Scores['excluded'] // on the lines
}

export type Gradable<Item> = Pick<
  Benchmark<Item>,
  'name' | 'tasks' | 'samples' | 'grade' | 'sum' | 'judge' | 'judgedRecords'
>

// Each reply is graded once: a grade that a run has kept is taken as it is.
export function gradeReplies<Item>(
  benchmark: Gradable<Item>,
  records: readonly Item[],
  replies: Replies,
): GradedReplies<Item> {
  const { tasks } = benchmark
  const samples = records.flatMap((record, place) => benchmark.samples(record, place))
  const graded = samples.map((sample): Graded<Item> => {
    const line = replies.byId.get(sample.longId ?? sample.id) ?? replies.byId.get(sample.id)
    const gradeOf = (task: string) =>
      line?.grades?.[task] ??
      gradeReply(benchmark as Benchmark, sample, task, {
        reply: line?.replies[task],
        judge: line?.judge ?? {},
        read: line?.results?.[task],
      })
    const grades = Object.fromEntries(tasks.map(({ name }) => [name, gradeOf(name)]))
    return { sample, record: sample.record, line, grades }
  })
  const askedTasks = new Set(tasks.map(task => task.name).filter(task => wasAsked(replies, task)))
  const sampleIds = new Set(samples.flatMap(({ id, longId = id }) => [id, longId]))
  const unjudged = tasks.filter(task => askedTasks.has(task.name) && isUnjudged(benchmark, task, graded))
  return {
    graded,
    records,
    asked: askedTasks,
    unjudged: unjudged.map(({ name }) => name),
    notes: [...replies.notes, ...unknownLines(replies, sampleIds)],
  }
}

// Whether there are answers that need a judge, and not one of them has met one.
function isUnjudged<Item>(
  { judge }: Pick<Benchmark<Item>, 'judge'>,
  { name, judge: steps }: BenchmarkTask,
  graded: readonly Graded<Item>[],
): boolean {
  const due = graded.flatMap(({ sample, line }) =>
    line && typeof line.replies[name] === 'string' && judge?.judges(sample) ? [line] : [],
  )
  const isJudged = (line: ReplyRecord) => line.results?.[name] !== undefined || steps.some(step => step in line.judge)
  return steps.length > 0 && due.length > 0 && !due.some(isJudged)
}

// Official and strict scores are sums of the same grades.
export function sumGrades<Item>(
  { name, sum }: Pick<Benchmark<Item>, 'name' | 'sum'>,
  { graded, records, asked, unjudged, notes: lineNotes }: GradedReplies<Item>,
  scoring: Scoring,
): Scores {
  if (!sum) throw new Error(`${name} sums no grades.`)
  const counted = new Set([...asked].filter(task => !unjudged.includes(task)))
  const { metrics, groups, excluded, notes = [] } = sum(graded, scoring, counted)
  const n = records.length
  return {
    ...{ benchmark: name, scoring, n, metrics, groups, excluded: [...lineNotes, ...excluded], unjudged },
    notes: [...unjudgedNotes(unjudged), ...notes],
  }
}

export function unjudgedNotes(tasks: readonly string[]): string[] {
  return tasks.map(task => `"${task}" is not judged: its answers need a judge and have met none.`)
}

// Whether a reply came and, if it needs a judge, a verdict.
export function hasAnswer({ line, grades }: Pick<Graded<unknown>, 'line' | 'grades'>, task: string): boolean {
  const hasReply = line?.results?.[task] !== undefined || (line?.replies[task] ?? '').trim() !== ''
  return hasReply && grades[task]?.score !== null
}

// How a task of a sample counts.
export function countGrades(
  { sample, grades }: Pick<Graded<unknown>, 'sample' | 'grades'>,
  task: string,
  scoring: Scoring,
): { score: number | null; reason?: string } {
  const grade = grades[task]
  if (!grade) throw new Error(`Sample ${sample.id} has no grade for its task "${task}".`)
  return (scoring === 'official' && grade.official) || grade
}

// Why replies to these tasks do not count, or count as wrong; the task is named if there are several.
export function countReasons<Item>(
  graded: readonly Graded<Item>[],
  tasks: Iterable<string>,
  scoring: Scoring,
): Scores['excluded'] {
  return graded.flatMap(item =>
    [...tasks].flatMap(task => {
      const { reason } = countGrades(item, task, scoring)
      if (!reason) return []
      return [{ id: item.sample.id, reason: Object.keys(item.grades).length > 1 ? `${task}: ${reason}` : reason }]
    }),
  )
}

export function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function meanInPercent(values: readonly number[]): number | null {
  const share = meanOrNull(values)
  return share === null ? null : share * 100
}
