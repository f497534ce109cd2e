import type { StudyResult } from '../../../eval/ablate/index.ts'
import { studyTables } from '../../../eval/ablate/index.ts'
import { tableLines } from '../bench/table-lines.ts'
import type { Terminal } from '../terminal.ts'

export function studyLines(result: StudyResult, terminal: Terminal): string[] {
  return tableLines(studyTables(result), terminal)
}
