import { join } from 'node:path'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { settingsThatDiffer } from '../../runner/compare-settings.ts'
import type { SampleLine } from '../../runner/line.ts'
import { BenchRun, readLines } from '../../runner/run-files.ts'
import { readJson } from '../../runner/run-folder.ts'
import { QuestionCalls, type RowRecord, VideoStages } from './records.ts'
import { type StudyResult, studyResult } from './result.ts'
import { readStudy } from './study-files.ts'

export interface ReadStudy {
  result: StudyResult
  linesOf(row: string): readonly SampleLine[]
}

// All that is known of a study so far, from what its rows left on disk.
export async function readResult(folder: string, notes: ReadonlyMap<string, string[]> = new Map()): Promise<ReadStudy> {
  const { study, matrix } = await readStudy(folder)
  const base = await readJson(join(folder, 'config.json'))
  const rows: RowRecord[] = []
  const tasks = new Set<string>()
  for (const { id, name, changes } of study.rows) {
    const own = join(folder, 'rows', id)
    const run = BenchRun.safeParse(await readJson(join(own, 'environment.json')))
    for (const task of run.success ? run.data.tasks : []) tasks.add(task)
    rows.push({
      id,
      name,
      changes,
      settings: run.success ? settingsThatDiffer(base, await readJson(join(own, 'config.json'))) : [],
      notes: notes.get(id) ?? [],
      finished: (await readJson(join(own, 'summary.json'))) !== undefined,
      lines: await readLines(own),
      calls: await readJsonLines(join(own, 'calls.jsonl'), QuestionCalls),
      stages: await readJsonLines(join(own, 'stages.jsonl'), VideoStages),
    })
  }
  const result = studyResult({
    benchmark: study.benchmark,
    name: study.name,
    split: study.split,
    design: matrix.design,
    seed: matrix.seed,
    started: study.started,
    tasks: [...tasks],
    samples: study.samples,
    rows,
  })
  return { result, linesOf: id => rows.find(row => row.id === id)?.lines ?? [] }
}
