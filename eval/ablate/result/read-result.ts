import { join } from 'node:path'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import type { SampleLine } from '../../data/sample-line.ts'
import { BenchRun, readLines } from '../../runner/files/run-files.ts'
import { settingsThatDiffer } from '../../runner/files/run-folder.ts'
import type { BaseFirst } from '../matrix/rows.ts'
import { QuestionCalls, type RowRecord, VideoStages } from './records.ts'
import { type StudyResult, studyResult } from './result.ts'
import { readStudy } from './study-files.ts'

export type LinesOf = (row: string) => readonly SampleLine[]

export interface ReadStudy {
  result: StudyResult
  linesOf: LinesOf
}

// All that is known of a study so far, from what its rows left on disk.
export async function readResult(folder: string, notes: ReadonlyMap<string, string[]> = new Map()): Promise<ReadStudy> {
  const { study, matrix } = await readStudy(folder)
  const base = await readJsonFile(join(folder, 'config.json'))
  const readRow = async ({ id, name, changes }: (typeof study.rows)[0]): Promise<RowRecord & { tasks: string[] }> => {
    const rowFolder = join(folder, 'rows', id)
    const run = BenchRun.safeParse(await readJsonFile(join(rowFolder, 'environment.json')))
    return {
      id,
      name,
      changes,
      tasks: run.success ? run.data.tasks : [],
      settings: run.success ? settingsThatDiffer(base, await readJsonFile(join(rowFolder, 'config.json'))) : [],
      notes: notes.get(id) ?? [],
      ...(await readRowFiles(rowFolder)),
    }
  }
  const [first, ...others] = study.rows
  const rows: BaseFirst<Awaited<ReturnType<typeof readRow>>> = [await readRow(first)]
  for (const row of others) rows.push(await readRow(row))
  const result = studyResult({
    benchmark: study.benchmark,
    name: study.name,
    split: study.split,
    design: matrix.design,
    seed: matrix.seed,
    started: study.started,
    tasks: [...new Set(rows.flatMap(row => row.tasks))],
    samples: study.samples,
    rows,
  })
  return { result, linesOf: id => rows.find(row => row.id === id)?.lines ?? [] }
}

// What the run of a row left in its folder.
export async function readRowFiles(
  folder: string,
): Promise<Pick<RowRecord, 'finished' | 'lines' | 'calls' | 'stages'>> {
  return {
    finished: (await readJsonFile(join(folder, 'summary.json'))) !== undefined,
    lines: await readLines(folder),
    calls: await readJsonLines(join(folder, 'calls.jsonl'), QuestionCalls),
    stages: await readJsonLines(join(folder, 'stages.jsonl'), VideoStages),
  }
}

// Finished, and every question of it asked and judged.
export async function isDone(folder: string): Promise<boolean> {
  const summary = (await readJsonFile(join(folder, 'summary.json'))) as
    | { failed?: number; unjudged?: number }
    | undefined
  return summary !== undefined && summary.failed === 0 && summary.unjudged === 0
}
