import type { ReportForm } from '../../eval/ablate/report/files.ts'
import type { Study } from './ablate/open-study.ts'
import type { ReadStudy } from './ablate/read-result.ts'
import type { AblateRequest, AblateWorld } from './ablate/study-parts.ts'

// What the command line may ask of ablations. Nothing of a benchmark or of the agent is loaded before it is needed.
export { AblationFile, ablationSchema } from '../../eval/ablate/matrix/ablation-file.ts'
export { parts as apartAtCommas } from '../../eval/ablate/matrix/words.ts'
export { studyTables } from '../../eval/ablate/report/tables.ts'
export type { StudyResult } from '../../eval/ablate/study/result.ts'
export type { Study, StudyProgress } from './ablate/open-study.ts'
export type { StudyPlan } from './ablate/plan.ts'
export { readStudy, type StudyEnvironment } from './ablate/study-files.ts'
export type { AblateRequest, AblateWorld } from './ablate/study-parts.ts'

export async function openStudy(request: AblateRequest, world: AblateWorld): Promise<Study> {
  return (await import('./ablate/open-study.ts')).openStudy(request, world)
}

export async function compareFolders(a: string, b: string, seed: number): Promise<ReadStudy> {
  return (await import('./ablate/compare.ts')).compareFolders(a, b, seed)
}

// A study in one form: a page, Markdown, LaTeX, a table of rows.
export async function writtenStudy(form: ReportForm, { result, linesOf }: ReadStudy): Promise<string> {
  return (await import('../../eval/ablate/report/files.ts')).writtenStudy(form, result, linesOf)
}
