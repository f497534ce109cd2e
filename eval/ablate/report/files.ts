import { markdown } from '../../report/markdown.ts'
import type { SampleLine } from '../../runner/line.ts'
import type { StudyResult } from '../study/result.ts'
import { latex } from './latex.ts'
import { studyPage } from './study-page.ts'
import { studyTables } from './tables.ts'
import { questionsCsv, rowsCsv } from './tables-of-data.ts'

export const reportForms = ['html', 'md', 'tex', 'csv', 'questions'] as const
export type ReportForm = (typeof reportForms)[number]

export type LinesOf = (row: string) => readonly SampleLine[]

// A study in the form that is asked for.
export function writtenStudy(form: ReportForm, study: StudyResult, linesOf: LinesOf): string {
  switch (form) {
    case 'html':
      return studyPage(study, linesOf)
    case 'md':
      return markdown(`longtake ablate: ${study.benchmark}`, studyTables(study))
    case 'tex':
      return latex(study)
    case 'csv':
      return rowsCsv(study)
    case 'questions':
      return questionsCsv(study, linesOf)
  }
}
