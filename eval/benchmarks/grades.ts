import { type ReplyLine, readReplies, unknownLines, wasAsked } from '../data/replies.ts'
import type { Sample, Scores, Scoring } from '../data/sample.ts'
import type { TaskGrade } from '../data/sample-line.ts'
import { letterAt } from '../metrics/choice/options.ts'
import type { Benchmark, Grade, ScoreInput, TaskReply } from './benchmark.ts'

// A sample with the grade of each task.
export interface Graded<Item> {
  sample: Sample<Item>
  record: Item
  line?: ReplyLine
  grades: Record<string, Grade>
}

export type Sum<Item> = (
  graded: readonly Graded<Item>[],
  scoring: Scoring,
  asked: ReadonlySet<string>, // the tasks that any line speaks of
) => Pick<Scores, 'metrics' | 'groups' | 'excluded'>

// Grades every record's replies and has the benchmark sum them up. Official and strict scores come from the same grades.
export async function scoreGrades<Item>(
  { name, tasks, samples, grade }: Pick<Benchmark<Item>, 'name' | 'tasks' | 'samples' | 'grade'>,
  { records, replies: lines, scoring }: ScoreInput<Item>,
  sum: Sum<Item>,
): Promise<Scores> {
  const replies = await readReplies(lines)
  const all = records.flatMap((record, place) => samples(record, place))
  const graded = all.map((sample): Graded<Item> => {
    const line = replies.byId.get(sample.longId ?? sample.id) ?? replies.byId.get(sample.id)
    const gradeOf = (task: string) =>
      grade(sample, task, { reply: line?.replies[task], judge: line?.judge ?? {}, read: line?.results?.[task] })
    const grades = Object.fromEntries(tasks.map(task => [task.name, gradeOf(task.name)]))
    return { sample, record: sample.record, line, grades }
  })
  const asked = new Set(tasks.map(task => task.name).filter(task => wasAsked(replies, task)))
  const { metrics, groups, excluded } = sum(graded, scoring, asked)
  const known = new Set(all.flatMap(({ id, longId = id }) => [id, longId]))
  return {
    benchmark: name,
    scoring,
    n: records.length,
    metrics,
    groups,
    excluded: [...replies.notes, ...unknownLines(replies, known), ...excluded],
  }
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

export function meanPercent(values: readonly number[]): number | null {
  const share = meanOrNull(values)
  return share === null ? null : share * 100
}

// What a run keeps of a grade.
export function keptGrade(benchmark: Benchmark, sample: Sample, task: string, given: TaskReply): TaskGrade {
  const gold = sample.choice === undefined ? sample.reference : letterAt(sample.choice)
  if (given.reply === null) return { score: 0, rule: 'no reply', gold }
  const { reason, official, rubric, ...kept } = benchmark.grade(sample, task, given)
  return { gold, ...kept }
}
