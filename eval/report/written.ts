import { csvText } from '../../src/core/words/csv-cell.ts'
import type { ReportTable } from '../data/report-table.ts'
import { aimTable } from './aim-table.ts'
import { reportsCsv } from './csv.ts'
import { figureSvg } from './figures/draw/svg.ts'
import type { ReportFigure } from './figures/figure.ts'
import { figureTex } from './figures/pgfplots.ts'
import { figureCsv } from './figures/rows.ts'
import { markdown } from './markdown.ts'
import { filledPaperTables } from './papers/filled-table.ts'
import { paperLatex } from './papers/latex.ts'
import { runPage } from './run-page.ts'
import type { RunReport } from './run-report.ts'
import { buildReportTables } from './tables.ts'
import { runTitle } from './titles.ts'

// The report as one page, one table of samples, or Markdown.
export async function writtenReport(
  form: 'html' | 'csv' | 'md' | 'tex',
  reports: readonly RunReport[],
): Promise<string> {
  if (form === 'html') return runPage(reports)
  if (form === 'csv') return reportsCsv(reports)
  if (form === 'md') return markdown(`longtake bench: ${reports[0]?.run.benchmark}`, buildReportTables(reports))
  const ids = new Set(reports.flatMap(report => report.published.map(table => table.id)))
  const aim = aimTable(
    reports.map(report => ({ ...(reports.length > 1 && { name: runTitle(report) }), aim: report.aim })),
  )
  return writtenTables('tex', [...(await filledPaperTables([...ids], reports)), ...(aim.rows.length > 0 ? [aim] : [])])
}

export function writtenTables(form: 'csv' | 'md' | 'tex', tables: readonly ReportTable[]): string {
  if (form === 'tex') return paperLatex(tables)
  if (form === 'md') return markdown('longtake bench: published tables', tables)
  const cells = (row: readonly string[]) => row.map(cell => (cell === '-' ? '' : cell))
  return csvText(tables.flatMap(({ columns, rows }, at) => [...(at === 0 ? [] : [[]]), columns, ...rows.map(cells)]))
}

export function writtenFigure(form: 'csv' | 'svg' | 'tex', figure: ReportFigure): string {
  if (form === 'csv') return figureCsv(figure)
  if (form === 'svg') return figureSvg(figure)
  return figureTex(figure)
}
