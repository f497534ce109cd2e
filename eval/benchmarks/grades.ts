import { type Replies, readReplies, unknownLines, wasAsked } from '../data/replies.ts'
import type { Sample, Scores, Scoring } from '../data/sample.ts'
import type { Grade } from '../data/sample-line.ts'
import { letterAt } from '../metrics/choice/options.ts'
import type { Benchmark, Graded, ScoreInput, TaskReply } from './benchmark.ts'

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
  notes: Scores['excluded'] // on the lines
}

type Gradable<Item> = Pick<Benchmark<Item>, 'name' | 'tasks' | 'samples' | 'grade' | 'sum' | 'judgedRecords'>

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
  return { graded, records, asked: askedTasks, notes: [...replies.notes, ...unknownLines(replies, sampleIds)] }
}

// Official and strict scores are sums of the same grades.
export function sumGrades<Item>(
  { name, sum }: Pick<Benchmark<Item>, 'name' | 'sum'>,
  { graded, records, asked, notes }: GradedReplies<Item>,
  scoring: Scoring,
): Scores {
  if (!sum) throw new Error(`${name} sums no grades.`)
  const { metrics, groups, excluded } = sum(graded, scoring, asked)
  return { benchmark: name, scoring, n: records.length, metrics, groups, excluded: [...notes, ...excluded] }
}

// The scores of a file of replies.
export async function scoreReplyLines<Item>(benchmark: Gradable<Item>, input: ScoreInput<Item>): Promise<Scores> {
  const { records, replies, scoring } = input
  if (benchmark.judgedRecords) return benchmark.judgedRecords.score(input)
  return sumGrades(benchmark, gradeReplies(benchmark, records, await readReplies(replies)), scoring)
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

// Why replies to these tasks do not count, or count as wrong; the task is named where there are several.
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
