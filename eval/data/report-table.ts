import { markdownText } from '../../src/core/words/markdown-text.ts'

// A table as text cells; the terminal and Markdown print the same ones.
export interface ReportTable {
  title: string
  columns: string[]
  rows: string[][]
  own?: { rows?: number[]; columns?: number[] } // ours among published ones
  notes: string[]
}

// The tables as Markdown. Texts from data sets and models cannot break out of their cell or become markup.
export function markdown(title: string, tables: readonly ReportTable[]): string {
  const parts = tables.map(({ title: heading, columns, rows, notes, own }) =>
    [
      `## ${cell(heading)}`,
      '',
      line(columns),
      line(columns.map(() => '---')),
      ...rows.map((row, at) => line(row, place => own?.rows?.includes(at) || own?.columns?.includes(place))),
      ...(notes.length > 0 ? ['', ...notes.map(note => `${cell(note)}  `)] : []),
    ].join('\n'),
  )
  return `${[`# ${cell(title)}`, ...parts].join('\n\n')}\n`
}

function line(cells: readonly string[], isBold: (place: number) => boolean | undefined = () => false): string {
  return `| ${cells.map((text, place) => (isBold(place) ? `**${cell(text)}**` : cell(text))).join(' | ')} |`
}

function cell(text: string): string {
  return text === '---' || text === '-' ? text : markdownText(text)
}

// A score or a share in per cent.
export function formatScore(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toFixed(1)
}
