// A figure of a paper as data: what CSV, SVG and LaTeX are written from.
export interface ReportFigure {
  id: string
  kind: 'lines' | 'bars' | 'heat' | 'radar' // lines: over a number, on a log2 axis; the others: over names
  title: string
  source: string // whose figure it is, and where its published points come from
  x: string
  panels: Panel[]
  notes: string[]
}

export interface Panel {
  title: string
  unit: string
  top: number // of the scale; 0: as high as the values
  categories: string[] // in order; none for lines
  series: Series[]
}

export interface Series {
  name: string
  isOwn: boolean
  points: PlotPoint[]
}

export interface PlotPoint {
  x: string | number
  y: number
  low?: number // of the 95 % interval, where n is known
  high?: number
  n?: number
}

export function hasOwn({ panels }: Pick<ReportFigure, 'panels'>): boolean {
  return panels.some(({ series }) => series.some(({ isOwn, points }) => isOwn && points.length > 0))
}
