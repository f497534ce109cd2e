import type { ReportForm } from './report/files.ts'
import type { ReadStudy } from './result/read-result.ts'
import type { Study } from './study/open-study.ts'
import type { AblateRequest, AblateWorld } from './study/study-parts.ts'

// What the command line may ask of ablations. Nothing of a benchmark or of the agent is loaded before it is needed.
export { AblationFile, ablationSchema } from './matrix/ablation-file.ts'
export type { StudyPlan } from './matrix/forecast-study.ts'
export { parts as apartAtCommas } from './matrix/read-changes.ts'
export { studyTables } from './report/tables.ts'
export type { StudyResult } from './result/result.ts'
export { readStudy, type StudyEnvironment } from './result/study-files.ts'
export type { RowElsewhere, Study, StudyProgress } from './study/open-study.ts'
export type { AblateRequest, AblateWorld } from './study/study-parts.ts'

export async function openStudy(request: AblateRequest, world: AblateWorld): Promise<Study> {
  return (await import('./study/open-study.ts')).openStudy(request, world)
}

// What a study over the frames measured on a made set, into its card.
export async function keepLadder(...given: Parameters<typeof import('./study/keep-ladder.ts').keepLadder>) {
  return (await import('./study/keep-ladder.ts')).keepLadder(...given)
}

export async function compareFolders(a: string, b: string, seed: number): Promise<ReadStudy> {
  return (await import('./study/compare.ts')).compareFolders(a, b, seed)
}

// A study in one form: a page, Markdown, LaTeX, a table of rows.
export async function writtenStudy(form: ReportForm, { result, linesOf }: ReadStudy): Promise<string> {
  return (await import('./report/files.ts')).writtenStudy(form, result, linesOf)
}
