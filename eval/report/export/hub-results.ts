import { UsageError } from '../../../src/core/errors.ts'
import type { ReleasedFile } from '../../benchmarks/benchmark.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import type { RunReport } from '../run-report.ts'
import { judgedByWords } from '../titles.ts'

// Official scores of a whole run as the hub keeps them in a model's repository: .eval_results/<benchmark>.yaml.
export async function hubResults({
  run,
  scores,
  lines,
  counts,
  departures,
  judgedMetrics,
}: RunReport): Promise<ReleasedFile> {
  const { guide } = (await loadBenchmark(run.benchmark)).about
  if (!guide)
    throw new UsageError(`longtake does not know where the data set of ${run.benchmark} is on the hub.`, {
      hint: 'Only scores of a data set on the hub have a place there; --form card says everything else.',
    })
  if (!scores || counts.done < counts.samples || counts.failed > 0 || counts.unjudged > 0 || run.limit !== undefined)
    throw new UsageError('Only a whole run has a score for a leaderboard.', {
      hint: `${counts.done - counts.failed} of ${counts.samples} questions were answered, ${counts.unjudged} are not judged: go on by --resume, without --limit.`,
    })
  const metrics = Object.entries(scores.official.metrics).flatMap(([metric, value]) =>
    value === null || (judgedByWords(run) && judgedMetrics.includes(metric)) ? [] : [{ metric, value }],
  )
  const notes = [
    run.by === 'alone' ? 'model alone' : run.by === 'longtake' ? 'longtake agent' : run.by,
    ...departures,
  ].join('; ')
  const entries = metrics.flatMap(({ metric, value }) => [
    '- dataset:',
    `    id: ${JSON.stringify(guide.dataset)}`,
    `    task_id: ${JSON.stringify(metric)} # replace it by that of the eval.yaml of the data set`,
    ...(run.fetched ? [`    revision: ${JSON.stringify(run.fetched.commit)}`] : []),
    `  value: ${value}`,
    `  date: ${JSON.stringify((lines.at(-1)?.finished ?? run.started).slice(0, 10))}`,
    `  notes: ${JSON.stringify(notes)}`,
  ])
  return { path: `.eval_results/${run.benchmark}.yaml`, content: `${entries.join('\n')}\n` }
}
