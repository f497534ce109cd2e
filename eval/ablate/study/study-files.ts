import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { makeFolder, writeDurably } from '../../../src/store/durable.ts'
import { tryLock } from '../../../src/store/lock.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { startRun } from '../../../src/store/run/run-folder.ts'
import { sweepAbandonedBelow } from '../../../src/store/temporary.ts'
import { readJson } from '../../runner/run-files.ts'
import { AblationFile } from '../matrix/ablation-file.ts'

// What a study is about: environment.json of its folder.
export const StudyEnvironment = z.object({
  format: z.literal(1),
  kind: z.literal('ablate'),
  name: z.string(),
  started: z.string(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  profile: z.object({ name: z.string(), why: z.string() }),
  benchmark: z.string(),
  data: z.string(), // absolute
  videos: z.string().optional(),
  split: z.string().optional(),
  limit: z.number().optional(),
  tasks: z.array(z.string()),
  options: z.array(z.string()),
  judge: z.string(),
  wording: z.string().optional(),
  dataHash: z.string(),
  samples: z.number(),
  config: z.string().optional(), // --config
  base: z.object({ profile: z.string().optional(), set: z.array(z.string()) }),
  rows: z.array(z.object({ id: z.string(), name: z.string(), changes: z.array(z.string()) })),
})
export type StudyEnvironment = z.infer<typeof StudyEnvironment>

// The folder of a study, opened for writing by one process:
//   environment.json ablation.json config.json plan.json  calls/QUESTION/  rows/ROW/ (each a benchmark run)
//   results.json summary.json table.md table.tex rows.csv questions.csv report.html
export interface StudyFiles {
  folder: string
  study: StudyEnvironment
  matrix: AblationFile
  json(name: string, value: unknown): Promise<void>
  text(name: string, content: string): Promise<void>
  close(): void
}

export interface NewStudy {
  home: string
  out?: string
  environment: Omit<StudyEnvironment, 'format' | 'started'>
  matrix: AblationFile
  config: unknown
  redact: Redact
}

export async function newStudyFiles({ home, out, environment, matrix, config, redact }: NewStudy): Promise<StudyFiles> {
  const { name, ...rest } = environment
  if (out === undefined) {
    const { folder } = await startRun(home, {
      name,
      config: redact(config),
      environment: redact(rest),
      secrets: [],
      more: { 'ablation.json': redact(matrix) },
    })
    return openStudyFiles(folder, redact)
  }
  if ((await readJson(join(out, 'environment.json'))) !== undefined)
    throw new UsageError(`There is a run in ${out} already.`, {
      hint: `Go on with it by --resume ${out}, or name another folder.`,
    })
  await makeFolder(out)
  await writeDurably(join(out, 'config.json'), pretty(redact(config)))
  await writeDurably(join(out, 'ablation.json'), pretty(redact(matrix)))
  const started = new Date().toISOString()
  await writeDurably(join(out, 'environment.json'), pretty(redact({ format: 1, started, name, ...rest })))
  return openStudyFiles(out, redact)
}

export async function openStudyFiles(folder: string, redact: Redact): Promise<StudyFiles> {
  const { study, matrix } = await readStudy(folder)
  const lock = await tryLock(folder)
  if (!lock)
    throw new UsageError(`Another longtake works on the study in ${folder}.`, {
      hint: 'Wait for it, or stop it first.',
    })
  await sweepAbandonedBelow(folder)
  return {
    folder,
    study,
    matrix,
    json: (name, value) => writeDurably(join(folder, name), pretty(redact(value))),
    text: (name, content) => writeDurably(join(folder, name), redact(content)),
    close: () => lock.release(),
  }
}

export async function readStudy(folder: string): Promise<{ study: StudyEnvironment; matrix: AblationFile }> {
  const study = StudyEnvironment.safeParse(await readJson(join(folder, 'environment.json')))
  const matrix = AblationFile.safeParse(await readJson(join(folder, 'ablation.json')))
  if (study.success && matrix.success) return { study: study.data, matrix: matrix.data }
  throw new UsageError(`${folder} holds no study.`, { hint: 'Studies are made by "longtake ablate".' })
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
