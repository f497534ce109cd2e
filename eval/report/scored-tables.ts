import { parseStoredJson } from '../../src/store/read-file.ts'
import type { Graded, ScoreInput } from '../benchmarks/benchmark.ts'
import { type GradedReplies, hasAnswer, sumGrades } from '../benchmarks/grades.ts'
import { writeJsonLines } from '../data/lines.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { Scores } from '../data/sample.ts'
import type { ScoredReplies } from '../runner/score-replies.ts'
import { type Availability, answeredTable, availability } from './availability.ts'
import { buildGroupTables, type GroupCounts, groupScores } from './group-scores.ts'
import { scoredFile } from './papers/own-result.ts'
import { paperTable } from './papers/paper-table.ts'
import { tablesForSplit } from './papers/paper-tables.ts'

// How much of the data the replies answer; undefined if it is all, or if no data were named.
export async function replyCoverage(scored: ScoredReplies): Promise<Availability | undefined> {
  const { graded } = scored
  if (!graded) return judgedCoverage(scored)
  const tasks = [...graded.asked].filter(task => !graded.unjudged.includes(task))
  const due = graded.graded.filter(({ sample }) => (sample.key ?? sample.choice ?? sample.reference) !== undefined)
  const lines = due.map(item => ({ ...item.sample, grades: item.grades, item }))
  return availability(lines, tasks, ({ item }, task) =>
    task === undefined ? hasAnswers(item, graded) : hasAnswer(item, task),
  )
}

// Of whole judged records: how they stand if those without a line are all wrong, left out, or all right.
async function judgedCoverage({ benchmark, records, judged, score }: ScoredReplies): Promise<Availability | undefined> {
  const { judgedRecords } = benchmark
  if (!judgedRecords || records.length === 0) return undefined
  const ids = new Set(judged.map(line => judgedRecords.idOf(parseStoredJson(line))))
  const there = records.filter(record => ids.has(judgedRecords.idOf(record))).length
  if (there === records.length) return undefined
  const scoreOf = (of: readonly unknown[], missing: ScoreInput<unknown>['missing']) =>
    judgedRecords.score({ records: of, replies: writeJsonLines(judged), scoring: 'strict', missing })
  const [low, available, high] = [await score('strict'), await scoreOf([], 'wrong'), await scoreOf(records, 'right')]
  const tasks = Object.entries(low.metrics).flatMap(([name, strict]) =>
    strict === null
      ? []
      : [
          [
            name,
            {
              n: records.length,
              there,
              strict,
              available: available.metrics[name] ?? null,
              high: high.metrics[name] ?? 100,
            },
          ] as const,
        ],
  )
  return {
    samples: records.length,
    there,
    videos: 0,
    videosThere: 0,
    tasks: Object.fromEntries(tasks),
    groups: [],
    warnings: [],
  }
}

// How many questions of each group are answered.
async function groupCounts({ benchmark, graded, judged, score }: ScoredReplies): Promise<GroupCounts> {
  const whole = await score('strict')
  const { judgedRecords } = benchmark
  const answered = judgedRecords
    ? await judgedRecords.score({ records: [], replies: writeJsonLines(judged), scoring: 'strict' })
    : graded &&
      sumGrades(benchmark, { ...graded, graded: graded.graded.filter(item => hasAnswers(item, graded)) }, 'strict')
  return { whole: groupScores(benchmark, whole), answered: groupScores(benchmark, answered ?? whole) }
}

function hasAnswers(item: Graded<unknown>, { asked, unjudged }: GradedReplies<unknown>): boolean {
  return [...asked].every(task => unjudged.includes(task) || hasAnswer(item, task))
}

// The groups of scores and, if they are official, the published tables with them in it.
export async function scoredTables(
  scored: ScoredReplies,
  scores: Scores,
  about: { name: string; byWords: boolean; coverage?: Availability },
): Promise<ReportTable[]> {
  const { benchmark } = scored
  const ownFile = scoredFile(scored, scores, about)
  const titleOf = (metric: string) => (ownFile.byWords.includes(metric) ? `${metric} (words)` : metric)
  const published = scores.scoring === 'official' ? (benchmark.paper?.published ?? []) : []
  const papers = tablesForSplit(published, ownFile.split).map(table => paperTable(table, [ownFile]))
  return [
    ...answeredTable(about.coverage, titleOf),
    ...buildGroupTables(ownFile.groups, scores.scoring, titleOf, about.coverage && (await groupCounts(scored))),
    ...papers,
  ]
}
