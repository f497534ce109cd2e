import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { RecordMap } from '../../benchmarks/map/record-map.ts'
import { AskedBy } from '../../data/asked-by.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { judgeModes } from '../../protocols/judge/protocol.ts'
import {
  environmentFields,
  type NewFolder,
  type OpenFolder,
  openFolder,
  startFolder,
} from '../../runner/files/run-folder.ts'
import { AblationFile } from '../matrix/ablation-file.ts'

const Row = z.object({ id: z.string(), name: z.string(), changes: z.array(z.string()) })

// What a study is about: environment.json of its folder.
export const StudyEnvironment = z.object({
  ...environmentFields('ablate'),
  by: AskedBy.default('longtake'),
  options: z.array(z.string()),
  judge: z.string(),
  judgeMode: z.enum(judgeModes).optional(),
  wording: z.string().optional(),
  files: z.record(z.string(), z.record(z.string(), z.string())).optional(), // by row, sha256 of what its options and flags name
  map: RecordMap.optional(), // by which the data are read
  dataHash: z.string(),
  samples: z.number(),
  config: z.string().optional(), // --config
  base: z.object({ profile: z.string().optional(), set: z.array(z.string()) }),
  rows: z.tuple([Row], Row), // the base first
})
export type StudyEnvironment = z.infer<typeof StudyEnvironment>

// The folder of a study, opened for writing by one process:
//   environment.json ablation.json config.json plan.json  calls/QUESTION/  rows/ROW/ (each a benchmark run)
//   results.json summary.json table.md table.tex rows.csv questions.csv report.html
export interface StudyFiles extends OpenFolder {
  study: StudyEnvironment
  matrix: AblationFile
}

interface NewStudy extends Omit<NewFolder, 'more'> {
  environment: Omit<StudyEnvironment, 'format' | 'started'>
  matrix: AblationFile
}

export async function newStudyFiles({ matrix, ...rest }: NewStudy): Promise<StudyFiles> {
  return openStudyFiles(await startFolder({ ...rest, more: { 'ablation.json': matrix } }), rest.redact)
}

export async function openStudyFiles(folder: string, redact: Redact): Promise<StudyFiles> {
  const read = await readStudy(folder)
  return { ...(await openFolder(folder, 'study', redact)), ...read }
}

export async function readStudy(folder: string): Promise<{ study: StudyEnvironment; matrix: AblationFile }> {
  const study = StudyEnvironment.safeParse(await readJsonFile(join(folder, 'environment.json')))
  const matrix = AblationFile.safeParse(await readJsonFile(join(folder, 'ablation.json')))
  if (study.success && matrix.success) return { study: study.data, matrix: matrix.data }
  throw new UsageError(`${folder} holds no study.`, { hint: 'Studies are made by "longtake bench ablate".' })
}
