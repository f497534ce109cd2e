import type { StudyResult } from '../../app/ablate.ts'
import { studyTables } from '../../app/ablate.ts'
import { tableLines } from '../bench/table-lines.ts'
import type { Terminal } from '../terminal.ts'

export function studyLines(result: StudyResult, terminal: Terminal): string[] {
  return tableLines(studyTables(result), terminal)
}
