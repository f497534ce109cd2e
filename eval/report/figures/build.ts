import { UsageError } from '../../../src/core/errors.ts'
import { benchmarkNames, loadBenchmark } from '../../benchmarks/index.ts'
import { type FigureAbout, lengthsOfVideos } from '../../benchmarks/paper-figures.ts'
import type { PublishedTable } from '../../benchmarks/published.ts'
import { madeSplit } from '../../data/benchmark-json.ts'
import { departures } from '../papers/departures.ts'
import { publishedTablesOfAll } from '../papers/paper-tables.ts'
import type { RunReport } from '../run-report.ts'
import { columnPanels, pairPanels } from './columns.ts'
import { hasOwn, type ReportFigure } from './figure.ts'
import { coveragePanels, lengthPanels, subTaskPanels } from './from-lines.ts'
import { type FigureRun, figureRun } from './own-points.ts'
import { sweepPanels } from './sweep.ts'

const strict = 'The scorer has no such groups: counted from the questions, strictly.'

// Every figure that can be asked for; how long the videos are is one of every benchmark.
export async function paperFigures(): Promise<FigureAbout[]> {
  const all = await Promise.all(benchmarkNames.map(loadBenchmark))
  return all.flatMap(({ name, paper }) => [...(paper?.figures ?? []), describeVideos(name)])
}

function describeVideos(benchmark: string): FigureAbout {
  return { ...lengthsOfVideos, id: `${benchmark}:videos`, benchmark }
}

// A figure with these runs in it; without one, the points that its source prints.
export async function buildFigure(id: string, reports: readonly RunReport[]): Promise<ReportFigure> {
  const all = await paperFigures()
  const about = all.find(one => one.id === id)
  if (about) return build(about, reports.map(figureRun), await publishedTablesOfAll())
  throw new UsageError(`There is no figure "${id}".`, { hint: `Figures: ${all.map(one => one.id).join(', ')}.` })
}

// Those that the runs fill. A radar is drawn on demand alone: its areas mislead.
export async function buildFigures(reports: readonly RunReport[]): Promise<ReportFigure[]> {
  const [all, tables] = await Promise.all([paperFigures(), publishedTablesOfAll()])
  const relevantFigures = all.filter(({ benchmark }) => reports.some(({ run }) => run.benchmark === benchmark))
  const runs = reports.map(figureRun)
  const built = relevantFigures.map(about => withoutLonePoints(build(about, runs, tables)))
  return built.filter(one => one.kind !== 'radar' && hasOwn(one))
}

// Over frames, one point with nothing beside it shows less than the table has.
function withoutLonePoints(figure: ReportFigure): ReportFigure {
  if (figure.kind !== 'lines') return figure
  const isMore = ({ series }: ReportFigure['panels'][number]) => series.flatMap(({ points }) => points).length > 1
  return { ...figure, panels: figure.panels.filter(isMore) }
}

function build(about: FigureAbout, runs: readonly FigureRun[], tables: readonly PublishedTable[]): ReportFigure {
  const { id, benchmark, title, source } = about
  const benchmarkRuns = runs.filter(({ report: { run } }) => run.benchmark === benchmark && run.split !== madeSplit)
  const used = (ids: readonly string[]) => tables.filter(table => ids.includes(table.id))
  const builtFigure = (
    kind: ReportFigure['kind'],
    x: string,
    panels: ReportFigure['panels'],
    from: PublishedTable[],
    ...notes: string[]
  ) => ({
    id,
    kind,
    title,
    source,
    x,
    panels,
    notes: [...notes, ...writeNotes(benchmarkRuns, from)],
  })
  if (about.of === 'frames') {
    const from = used(about.panels.flatMap(({ published }) => published?.table ?? []))
    return builtFigure('lines', 'frames', sweepPanels(about, runs, tables), from)
  }
  if (about.of === 'columns') {
    const from = used(about.tables).sort((a, b) => about.tables.indexOf(a.id) - about.tables.indexOf(b.id))
    const table = from.find(({ split }) => benchmarkRuns.some(run => run.own.split === split)) ?? from[0]
    if (!table) throw new Error(`The figure ${id} is of no table.`)
    const { panels, isStrict } = columnPanels(about, benchmarkRuns, table)
    return builtFigure(about.kind, '', panels, [table], ...(isStrict ? [strict] : []))
  }
  if (about.of === 'pairs') {
    const from = used([about.table])
    return builtFigure(
      'bars',
      '',
      from.flatMap(table => pairPanels(about, benchmarkRuns, table)),
      from,
    )
  }
  if (about.of === 'coverage') return builtFigure('bars', 'part of the video', coveragePanels(benchmarkRuns), [])
  if (about.of === 'sub-tasks') return builtFigure('bars', '', subTaskPanels(about, benchmarkRuns), [], strict)
  return builtFigure('bars', 'length of the video', lengthPanels(about, benchmarkRuns), [])
}

// In what runs differ from what the published points measured.
function writeNotes(runs: readonly FigureRun[], tables: readonly PublishedTable[]): string[] {
  return tables.flatMap(table => [
    ...runs.flatMap(({ own }) => {
      const { notes, isComparable } = departures(own, table)
      return notes.length === 0 ? [] : [`${own.name}: ${notes.join('; ')}.${isComparable ? '' : ' Not comparable.'}`]
    }),
  ])
}
