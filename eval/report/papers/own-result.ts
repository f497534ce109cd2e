import { findEdition } from '../../benchmarks/read-split.ts'
import type { Scores } from '../../data/sample.ts'
import type { ScoredReplies } from '../../runner/score-replies.ts'
import type { Availability } from '../availability.ts'
import { boundsText, coverageText, isComparable } from '../availability.ts'
import { type GroupScores, groupScores } from '../group-scores.ts'
import { editionIn, type RecordCount } from '../protocol-of-run.ts'
import type { RunReport } from '../run-report.ts'
import { judgedByWords, runTitle } from '../titles.ts'

// Scores of ours, as published tables take them in.
export interface OwnResult extends Comparability {
  name: string
  benchmark: string
  split?: string
  edition?: RecordCount // records of the split
  metrics: Scores['metrics'] // official
  groups: readonly GroupScores[]
  judges: RunReport['judges']
  byWords: readonly string[] // metrics that a judge by words decided
  unjudged: readonly string[] // metrics that no judge has decided
  shown: Record<string, string> // frames, under the names of the tables
  isAlone: boolean // a model without the agent
}

// How far a result of ours may stand beside published ones.
interface Comparability {
  coverage?: string // the share of the questions whose video was there, where it is not all
  incomplete: string[] // why it may not be compared
  differs: string[] // in what else it is not the protocol
  changed: string[] // its options that are not, each beginning with its name
  modeSets: string[] // options that the mode of a paper sets that it is in
}

export function ownResult(report: RunReport): OwnResult {
  const { run, counts, scores, official, judgedMetrics, shown, edition, available, judgeCheck } = report
  const { samples, done, failed, unjudged } = counts
  const isWords = judgedByWords(run)
  const missing = available ? available.samples - available.there : 0
  const without = `${missing} of ${done} questions had no video`
  const due = (found: [boolean, string][]) => found.flatMap(([isDue, text]) => (isDue ? [text] : []))
  return {
    name: runTitle(report),
    benchmark: run.benchmark,
    split: run.split,
    edition,
    metrics: scores?.official.metrics ?? {},
    groups: official,
    judges: report.judges,
    byWords: isWords ? judgedMetrics : [],
    unjudged: scores && scores.official.unjudged.length > 0 ? judgedMetrics : [],
    shown,
    ...(available && { coverage: coverageText(available) }),
    incomplete: due([
      [run.limit !== undefined, `only the first ${run.limit} questions`],
      [done < samples, `${done} of ${samples} questions are done`],
      [!isComparable(available), without],
      [failed > missing, `${failed - missing} of ${done} questions could not be asked`],
      [isWords, 'judged by words'],
      [(scores?.official.unjudged.length ?? 0) > 0, 'open answers not judged'],
      [unjudged > 0, `${unjudged} answers not judged`],
    ]),
    differs: [
      ...due([
        [missing > 0 && isComparable(available), without],
        [
          !isWords && run.judgedBy !== undefined,
          `judge ${run.judgedBy}${run.wording?.released ? '' : ', not the released wording'}`,
        ],
        [judgeCheck !== undefined, judgeCheck === 'not checked' ? 'judge not checked' : (judgeCheck ?? '')],
        [run.by !== 'alone', 'with tools over an index, not a model alone with the frames of the protocol'],
      ]),
    ],
    changed: report.departures,
    modeSets: report.mode?.sets ?? [],
    isAlone: run.by === 'alone',
  }
}

// A file of replies that was scored: who wrote it and how is not known here.
export function scoredFile(
  { benchmark, split, records: { length: records } }: Pick<ScoredReplies, 'benchmark' | 'split' | 'records'>,
  scores: Scores,
  { name, byWords, coverage }: { name: string; byWords: boolean; coverage?: Availability },
): OwnResult {
  const { judgedMetrics = [] } = benchmark.paper ?? {}
  const answered = coverage ? [answeredText(coverage)] : []
  return {
    name,
    benchmark: benchmark.name,
    split: split ?? findEdition(benchmark, '', records),
    edition: editionIn(benchmark, split, records),
    metrics: scores.metrics,
    groups: groupScores(benchmark, scores),
    judges: {},
    byWords: byWords ? judgedMetrics : [],
    unjudged: scores.unjudged.length > 0 ? judgedMetrics : [],
    shown: {},
    ...(coverage && { coverage: `${coverage.there} of ${coverage.samples}` }),
    incomplete: [
      ...(byWords ? ['judged by words'] : []),
      ...(scores.unjudged.length > 0 ? ['open answers not judged'] : []),
      ...(isComparable(coverage) ? [] : answered),
    ],
    differs: [
      ...(isComparable(coverage) ? answered : []),
      ...(scores.unjudged.length > 0 ? [] : scores.notes.map(note => note.replace(/\.$/, ''))),
    ],
    changed: [],
    modeSets: [],
    isAlone: false,
  }
}

// "1500 of 3000 answered, so long_acc is within 25.3 to 75.3".
function answeredText({ there, samples, tasks }: Availability): string {
  const bounds = Object.entries(tasks).map(([task, numbers]) => `${task} within ${boundsText(numbers)}`)
  return `${there} of ${samples} answered: ${bounds.join(', ')}`
}
