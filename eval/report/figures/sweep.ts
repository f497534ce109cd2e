import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { FigureAbout, SweepFigure } from '../../benchmarks/paper-figures.ts'
import { columnParts, type PublishedTable } from '../../benchmarks/published.ts'
import type { Panel, Series } from './figure.ts'
import { type FigureRun, officialPoint, publishedPoint, seriesName } from './own-points.ts'

// A line for each model: runs that differ in nothing but the number of frames.
export function sweepPanels(
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
  const points = rows.map(row => {
    const frames = frameCount(row.settings.frames ?? row.settings.frames_long)
    return { model: row.model, points: frames === undefined ? [] : publishedPoint(table, row, metric, frames) }
  })
  return [...groupBy(points, ({ model }) => model)].map(([name, of]) => ({
    name,
    isOwn: false,
    points: of.flatMap(one => one.points).sort(byFrames),
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
