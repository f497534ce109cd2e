import type { StudyResult } from '../../../eval/ablate/study/result.ts'
import type { StudyFiles } from './study-files.ts'

export async function writeReports(files: StudyFiles, result: StudyResult): Promise<void> {
  await files.json('results.json', result)
  const finished = result.rows.every(row => row.finished)
  if (finished)
    await files.json('summary.json', { state: 'finished', benchmark: result.benchmark, rows: result.rows.length })
}
