import { tex } from '../papers/tex.ts'
import { chooseTop, seriesColour } from './draw/drawing.ts'
import { logPlace } from './draw/lines.ts'
import type { Panel, PlotPoint, ReportFigure, Series } from './figure.ts'

// A figure for LaTeX, an axis for each panel.
export function figureTex({ kind, title, source, panels, notes }: ReportFigure): string {
  const filledPanels = panels.filter(({ series }) => series.some(({ points }) => points.length > 0))
  return [
    '% needs \\usepackage{pgfplots}\\pgfplotsset{compat=1.17}\\usepgfplotslibrary{polar} and a T1 font encoding',
    ...colours(filledPanels),
    '\\begin{figure}',
    '\\centering',
    ...filledPanels.flatMap(panel => ['\\begin{tikzpicture}', ...axes[kind](panel), '\\end{tikzpicture}']),
    `\\caption{${tex([`${title} (${source}).`, ...notes].join(' '))}}`,
    '\\end{figure}',
    '',
  ].join('\n')
}

function colours(panels: readonly Panel[]): string[] {
  const most = Math.max(0, ...panels.map(({ series }) => series.length))
  return Array.from(
    { length: most },
    (_, at) => `\\definecolor{s${at}}{HTML}{${seriesColour(at).slice(1).toUpperCase()}}`,
  )
}

const axes: Record<ReportFigure['kind'], (panel: Panel) => string[]> = { lines, bars, heat, radar }

function head({ title, unit }: Panel, ...options: string[]): string[] {
  const under = 'legend style={at={(0.5,-0.22)},anchor=north,font=\\scriptsize,draw=none},legend columns=2'
  return [`title={${tex(title)}}`, `width=0.8\\linewidth`, ...options, under, `% ${tex(unit)}`]
}

// The comment with the unit stands last, so that it takes nothing else with it.
function axis(name: string, options: readonly string[], body: readonly string[]): string[] {
  const last = options.at(-1)
  return [`\\begin{${name}}[${last}`, `${options.slice(0, -1).join(',\n')},`, ']', ...body, `\\end{${name}}`]
}

function lines(panel: Panel): string[] {
  const frames = [...new Set(panel.series.flatMap(({ points }) => points.map(({ x }) => Number(x))))].sort(
    (a, b) => a - b,
  )
  const options = head(
    panel,
    `xlabel={frames, doubled at each step}`,
    `ylabel={${tex(panel.unit)}}`,
    `ymin=0`,
    `ymax=${chooseTop(panel)}`,
    `xtick={${frames.map(legendPosition).join(',')}}`,
    `xticklabels={${frames.join(',')}}`,
    'x tick label style={rotate=60,anchor=east,font=\\scriptsize}',
  )
  return axis(
    'axis',
    options,
    panel.series.flatMap((one, at) => plot(one, at, ({ x, y }) => `(${legendPosition(Number(x))},${y})`, 'y')),
  )
}

function legendPosition(frames: number): string {
  return logPlace(frames).toFixed(4)
}

function bars(panel: Panel): string[] {
  const names = panel.categories.filter(name => panel.series.some(({ points }) => points.some(({ x }) => x === name)))
  const at = (x: PlotPoint['x']) => names.length - 1 - names.indexOf(String(x))
  const options = head(
    panel,
    'xbar',
    `bar width=${panel.series.length > 1 ? 3 : 6}pt`,
    `height=${Math.max(4, names.length * (panel.series.length > 1 ? 0.6 : 0.5) + 2)}cm`,
    `xlabel={${tex(panel.unit)}}`,
    `xmin=0`,
    `xmax=${chooseTop(panel)}`,
    ...ticks('y', [...names].reverse()),
  )
  return axis(
    'axis',
    options,
    panel.series.flatMap((one, i) => plot(one, i, ({ x, y }) => `(${y},${at(x)})`, 'x', `fill=s${i}`)),
  )
}

function ticks(side: 'x' | 'y', names: readonly string[]): string[] {
  return [
    `${side}tick={${names.map((_, i) => i).join(',')}}`,
    `${side}ticklabels={${names.map(name => `{${tex(name)}}`).join(',')}}`,
    `${side} tick label style={font=\\scriptsize${side === 'x' ? ',rotate=60,anchor=east' : ''}}`,
  ]
}

// A plot with its intervals, and its name for the legend.
function plot(
  { name, isOwn, points }: Series,
  at: number,
  coordinate: (point: PlotPoint) => string,
  side: 'x' | 'y',
  look = `mark=*,${isOwn ? 'thick' : 'dashed'}`,
): string[] {
  const bounds = `error bars/.cd,${side} dir=both,${side} explicit`
  const cells = points.map(point => `  ${coordinate(point)}${reach(point, side)}`)
  return [`\\addplot+[s${at},${look},${bounds}] coordinates {`, ...cells, '};', `\\addlegendentry{${tex(name)}}`]
}

// Intervals need not lie in the middle of their value.
function reach({ y, low, high }: PlotPoint, side: 'x' | 'y'): string {
  if (low === undefined || high === undefined) return ''
  const [down, up] = [(y - low).toFixed(4), (high - y).toFixed(4)]
  return side === 'x' ? ` += (${up},0) -= (${down},0)` : ` += (0,${up}) -= (0,${down})`
}

function heat(panel: Panel): string[] {
  const { categories, series } = panel
  const options = head(
    panel,
    `height=${Math.max(5, categories.length * 0.55 + 3)}cm`,
    'colormap={own}{color=(white) color=(s0)}',
    `point meta min=0`,
    `point meta max=${chooseTop(panel)}`,
    'nodes near coords={\\pgfmathprintnumber[fixed,precision=1]\\pgfplotspointmeta}',
    'nodes near coords style={font=\\tiny,anchor=center,text=black}',
    ...ticks(
      'x',
      series.map(({ name }) => name),
    ),
    ...ticks('y', [...categories].reverse()),
  )
  const cells = series.flatMap(({ points }, column) =>
    points.map(({ x, y }) => `  (${column},${categories.length - 1 - categories.indexOf(String(x))}) [${y}]`),
  )
  const marks = 'scatter,only marks,mark=square*,mark size=7pt,scatter src=explicit'
  return axis('axis', options, [`\\addplot[${marks}] coordinates {`, ...cells, '};'])
}

function radar(panel: Panel): string[] {
  const { categories, series } = panel
  const angle = (at: number) => (360 * at) / categories.length
  const options = head(
    panel,
    `ymin=0`,
    `ymax=${chooseTop(panel)}`,
    `xtick={${categories.map((_, at) => angle(at).toFixed(2)).join(',')}}`,
    `xticklabels={${categories.map(name => `{${tex(name)}}`).join(',')}}`,
  )
  const body = series.flatMap(({ name, points }, at) => {
    const round = categories.flatMap((category, i) => {
      const y = points.find(({ x }) => x === category)?.y
      return y === undefined ? [] : [`(${angle(i).toFixed(2)},${y})`]
    })
    const closed = [...round, ...round.slice(0, 1)].join(' ')
    return [`\\addplot+[s${at},no marks] coordinates {${closed}};`, `\\addlegendentry{${tex(name)}}`]
  })
  return axis('polaraxis', options, body)
}
