import { groupBy } from '../../../src/core/basics/group-by.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { benchmarkNames, loadBenchmark } from '../../benchmarks/index.ts'
import {
  type FigureAbout,
  type LengthFigure,
  lengthsOfVideos,
  type SubTasks,
  type SweepFigure,
} from '../../benchmarks/paper-figures.ts'
import { columnParts, type PublishedTable } from '../../benchmarks/published.ts'
import { madeSplit } from '../../data/benchmark-json.ts'
import { departures } from '../papers/departures.ts'
import { publishedTablesOfAll } from '../papers/paper-tables.ts'
import type { RunReport } from '../run-report.ts'
import { columnPanels, isInBin, pairPanels } from './columns.ts'
import { hasOwn, type Panel, type ReportFigure, type Series } from './figure.ts'
import { type FigureRun, figureRun, officialPoint, publishedPoint, seriesName, strictPoint } from './own-points.ts'

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

// Those that the runs fill. A radar is drawn only on demand: its areas mislead.
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
    const panels = from.flatMap(table => pairPanels(about, benchmarkRuns, table))
    return builtFigure('bars', '', panels, from)
  }
  if (about.of === 'coverage') return builtFigure('bars', 'part of the video', coveragePanels(benchmarkRuns), [])
  if (about.of === 'sub-tasks') return builtFigure('bars', '', subTaskPanels(about, benchmarkRuns), [], strict)
  return builtFigure('bars', 'length of the video', lengthPanels(about, benchmarkRuns), [])
}

// In what runs differ from what the published points measured.
function writeNotes(runs: readonly FigureRun[], tables: readonly PublishedTable[]): string[] {
  return tables.flatMap(table =>
    runs.flatMap(({ own }) => {
      const { notes, isComparable } = departures(own, table)
      return notes.length === 0 ? [] : [`${own.name}: ${notes.join('; ')}.${isComparable ? '' : ' Not comparable.'}`]
    }),
  )
}

// A line for each model: runs that differ in nothing but the number of frames.
function sweepPanels(
  { benchmark, panels }: SweepFigure & Pick<FigureAbout, 'benchmark'>,
  runs: readonly FigureRun[],
  tables: readonly PublishedTable[],
): Panel[] {
  return panels.map(({ metric, title, unit = 'per cent', top = 0, published }) => {
    const { benchmark: of = benchmark } = columnParts(metric)
    const sweepRuns = runs.filter(({ report }) => report.run.benchmark === of && findFrameCount(report.shown))
    const lines = [...groupBy(sweepRuns, lineName)].map(([name, of]): Series => {
      const points = of.flatMap(run => officialPoint(run, metric, Number(findFrameCount(run.report.shown))))
      const [first] = of
      return { name: first ? seriesName(first, metric, name) : name, isOwn: true, points: points.sort(byFrames) }
    })
    const table = tables.find(({ id }) => id === published?.table)
    const series = [...lines, ...(table ? publishedLines(table, metric, published?.where ?? {}) : [])]
    return { title, unit, top, categories: [], series: series.filter(({ points }) => points.length > 0) }
  })
}

function findFrameCount(settings: Record<string, string>): string | undefined {
  return Object.values(settings).find(value => /^\d+$/.test(value))
}

// The model and in what else the run is not the protocol; data of two kinds make two lines.
function lineName({ report, own }: FigureRun): string {
  const { models, split, limit } = report.run
  const changed = report.departures.filter(text => !text.startsWith('frames '))
  const limitText = limit === undefined ? [] : [`first ${limit}`]
  return [models.vision ?? own.name, ...(split === undefined ? [] : [split]), ...changed, ...limitText].join(', ')
}

function publishedLines(table: PublishedTable, metric: string, where: Record<string, string>): Series[] {
  const rows = table.rows.filter(({ settings }) =>
    Object.entries(where).every(([key, value]) => settings[key] === value),
  )
  const pointsOf = (row: (typeof rows)[number]) => {
    const frames = frameCount(row.settings.frames ?? row.settings.frames_long)
    return frames === undefined ? [] : publishedPoint(table, row, metric, frames)
  }
  return [...groupBy(rows, ({ model }) => model)].map(([name, modelRows]) => ({
    name,
    isOwn: false,
    points: modelRows.flatMap(pointsOf).sort(byFrames),
  }))
}

// "450 FPV" is a number of frames; "1 FPS" and frames of a window are not.
function frameCount(setting = ''): number | undefined {
  const [, count] = /^(\d+)(?: FPV)?$/.exec(setting) ?? []
  return count === undefined ? undefined : Number(count)
}

function byFrames(a: Series['points'][number], b: Series['points'][number]): number {
  return Number(a.x) - Number(b.x)
}

// A metric by how long the videos are; or, without one, how many videos are so long.
function lengthPanels({ task, minutes, names = {} }: LengthFigure, runs: readonly FigureRun[]): Panel[] {
  const bins = minutes.map(([from, below]) => ({
    bin: [from, below] as const,
    key: `${from}-${below}`,
    x: minutesRange(from, below),
  }))
  const series = runs.map((run): Series => {
    const points = bins.flatMap(({ bin, key, x }) => {
      if (task === undefined) return { x, y: countVideos(run, bin) }
      const official = officialPoint(run, names[key] ?? key, x)
      return official.length > 0 ? official : strictPoint(run, task, x, line => isInBin(line.duration, bin))
    })
    return { name: task === undefined ? run.own.name : seriesName(run, task), isOwn: true, points }
  })
  const about = task === undefined ? { unit: 'videos', top: 0 } : { unit: 'per cent', top: 100 }
  return [{ title: '', ...about, categories: bins.map(({ x }) => x), series }]
}

function minutesRange(from: number, below: number): string {
  return below === Number.POSITIVE_INFINITY ? `from ${from} min` : `${from} to ${below} min`
}

function countVideos({ report }: FigureRun, bin: readonly [number, number]): number {
  return [...groupBy(report.lines, line => line.video).values()].filter(([first]) => isInBin(first?.duration, bin))
    .length
}

// Of the time that clues cover, the share in each tenth of the videos. Without a preference for a place, a tenth each.
function coveragePanels(runs: readonly FigureRun[]): Panel[] {
  const names = Array.from({ length: 10 }, (_, i) => `${i * 10} to ${i * 10 + 10} %`)
  const series = runs.map((run): Series => {
    const covered = names.map((_, i) => run.report.lines.reduce((sum, line) => sum + coverage(line, i / 10), 0))
    const all = covered.reduce((sum, share) => sum + share, 0)
    const points = covered.flatMap((share, i) => (all === 0 ? [] : { x: names[i] ?? '', y: (100 * share) / all }))
    return { name: run.own.name, isOwn: true, points }
  })
  return [{ title: '', unit: 'per cent of the covered time', top: 0, categories: names, series }]
}

// How much of the tenth that begins at `from` the clues of a question cover, as a share of the video; overlapping ones count each.
function coverage({ clues = [], duration }: FigureRun['report']['lines'][number], from: number): number {
  if (!duration) return 0
  return clues.reduce((sum, { start, end }) => {
    const overlap = Math.min(end / duration, from + 0.1) - Math.max(start / duration, from)
    return sum + Math.max(0, overlap)
  }, 0)
}

// A panel for each task with sub-tasks; the scorer has no groups for them, so they are counted strictly.
function subTaskPanels({ tasks }: SubTasks, runs: readonly FigureRun[]): Panel[] {
  return tasks.flatMap(task => {
    const lines = runs.flatMap(({ report }) => report.lines).filter(({ groups }) => groups.task === task)
    const names = [...new Set(lines.flatMap(({ groups }) => groups.sub_task || []))]
    const series = runs.map((run): Series => {
      const isOf = (name: string) => (line: (typeof lines)[number]) =>
        line.groups.task === task && line.groups.sub_task === name
      return {
        name: run.own.name,
        isOwn: true,
        points: names.flatMap(name => strictPoint(run, 'answer', name, isOf(name))),
      }
    })
    return names.length === 0 ? [] : [{ title: task, unit: 'per cent', top: 100, categories: names, series }]
  })
}
