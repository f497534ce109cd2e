import type { ReportTable } from '../../data/report-table.ts'
import { tex } from './tex.ts'

// Tables of papers with our runs in bold; needs the packages booktabs and graphicx.
export function paperLatex(tables: readonly ReportTable[]): string {
  return `% needs \\usepackage{booktabs,graphicx} and a T1 font encoding\n${tables.map(latexTable).join('\n')}`
}

export function latexTable({ title, columns, rows, notes, own }: ReportTable): string {
  const isOwn = (row: number, column: number) =>
    own?.rows?.includes(row) === true || own?.columns?.includes(column) === true
  const cell = (text: string, row: number, column: number) =>
    isOwn(row, column) ? `\\textbf{${escapeLatex(text)}}` : escapeLatex(text)
  const line = (cells: readonly string[], row: number) =>
    `${cells.map((text, column) => cell(text, row, column)).join(' & ')} \\\\`
  const numbers = columns.slice(1)
  return [
    '\\begin{table}',
    '\\centering',
    `\\caption{${escapeLatex([`${title}.`, ...notes].join(' '))}}`,
    '\\resizebox{\\linewidth}{!}{%',
    `\\begin{tabular}{l${'r'.repeat(numbers.length)}}`,
    '\\toprule',
    line(columns, -1),
    '\\midrule',
    ...rows.map(line),
    '\\bottomrule',
    '\\end{tabular}}',
    '\\end{table}',
    '',
  ].join('\n')
}

function escapeLatex(text: string): string {
  return tex(text === '-' ? '--' : text)
}
