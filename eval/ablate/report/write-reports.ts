import type { ReadStudy } from '../study/read-result.ts'
import type { StudyFiles } from '../study/study-files.ts'
import { writtenStudy } from './files.ts'

// Everything that is said of a study, beside it: results.json holds it all, the other files show it.
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
