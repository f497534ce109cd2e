import { markdown } from '../../report/markdown.ts'
import type { LinesOf, ReadStudy } from '../result/read-result.ts'
import type { StudyResult } from '../result/result.ts'
import type { StudyFiles } from '../result/study-files.ts'
import { questionsCsv, rowsCsv } from './csv.ts'
import { latex } from './latex.ts'
import { studyPage } from './study-page.ts'
import { studyTables } from './tables.ts'

export type ReportForm = 'html' | 'md' | 'tex' | 'csv' | 'questions'

// A study in the form that is asked for.
export function writtenStudy(form: ReportForm, study: StudyResult, linesOf: LinesOf): string {
  switch (form) {
    case 'html':
      return studyPage(study, linesOf)
    case 'md':
      return markdown(`longtake bench ablate: ${study.benchmark}`, studyTables(study))
    case 'tex':
      return latex(study)
    case 'csv':
      return rowsCsv(study)
    case 'questions':
      return questionsCsv(study, linesOf)
  }
}

// Writes the reports of a study into its folder: results.json holds everything, the other files show it.
export async function writeReports(files: StudyFiles, { result, linesOf }: ReadStudy): Promise<void> {
  await files.json('results.json', result)
  await files.text('table.md', writtenStudy('md', result, linesOf))
  await files.text('table.tex', writtenStudy('tex', result, linesOf))
  await files.text('rows.csv', writtenStudy('csv', result, linesOf))
  await files.text('questions.csv', writtenStudy('questions', result, linesOf))
  await files.text('report.html', writtenStudy('html', result, linesOf))
  if (result.rows.every(row => row.finished))
    await files.json('summary.json', { state: 'finished', benchmark: result.benchmark, rows: result.rows.length })
}
