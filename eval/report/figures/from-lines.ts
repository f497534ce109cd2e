import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { LengthFigure, SubTasks } from '../../benchmarks/paper-figures.ts'
import { isInBin } from './columns.ts'
import type { Panel, Series } from './figure.ts'
import { type FigureRun, officialPoint, seriesName, strictPoint } from './own-points.ts'

// A metric by how long the videos are; or, without one, how many videos are so long.
export function lengthPanels({ task, minutes, names = {} }: LengthFigure, runs: readonly FigureRun[]): Panel[] {
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
export function coveragePanels(runs: readonly FigureRun[]): Panel[] {
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
export function subTaskPanels({ tasks }: SubTasks, runs: readonly FigureRun[]): Panel[] {
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
