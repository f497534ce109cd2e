import { join } from 'node:path'
import { z } from 'zod'
import type { ReportDetails } from '../../src/core/api/report.ts'
import type { StoredRun } from '../../src/store/run/run-folder.ts'
import { readStudy } from '../ablate/result/study-files.ts'
import { readJsonFile } from '../data/read-json-file.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { measureAims } from '../metrics/aim.ts'
import { sumCost } from '../report/run-report.ts'
import { taskRow } from '../report/task-rows.ts'
import { BenchRun, readBenchRun, readLines } from '../runner/files/run-files.ts'
import { settingsThatDiffer } from '../runner/files/run-folder.ts'

type ReportedConfiguration = ReportDetails['configurations'][number]

// What a benchmark run, or a row of a study, has left so far.
export interface ConfigurationRow extends ReportedConfiguration {
  lines: readonly SampleLine[]
  run: string // below the runs
}

export interface Loaded {
  run: StoredRun
  about: { benchmark: string; split?: string; samples: number }
  notes: string[]
  rows: (Pick<ReportedConfiguration, 'configuration' | 'name' | 'changes' | 'settings' | 'finished' | 'differences'> & {
    run: string
    tasks: readonly string[]
    by?: BenchRun['by']
    lines: readonly SampleLine[]
  })[]
}

export async function loadBench(run: StoredRun): Promise<Loaded> {
  const { benchmark, split, samples, tasks, by } = await readBenchRun(run.folder)
  const finished = run.state === 'finished'
  const baseConfiguration = { configuration: run.id, name: run.name, changes: [], settings: [], differences: [] }
  return {
    run,
    about: { benchmark, split, samples },
    notes: finished ? [] : ['The run is not over.'],
    rows: [{ ...baseConfiguration, finished, run: run.id, tasks, by, lines: await readLines(run.folder) }],
  }
}

const Interval = z.looseObject({ low: z.number(), high: z.number() })
const Result = z.looseObject({
  notes: z.array(z.string()),
  rows: z.array(
    z.looseObject({
      id: z.string(),
      differences: z.array(
        z.looseObject({
          task: z.string(),
          n: z.number(),
          videos: z.number(),
          difference: z.number(),
          holm: z.number(),
          interval: Interval,
          questionInterval: Interval,
        }),
      ),
    }),
  ),
})

// The differences are those that the study has worked out itself: that takes seconds, in which nobody else would be answered.
export async function loadStudy(run: StoredRun): Promise<Loaded> {
  const { study } = await readStudy(run.folder)
  const base = await readJsonFile(join(run.folder, 'config.json'))
  const result = Result.safeParse(await readJsonFile(join(run.folder, 'results.json'))).data
  const rows: Loaded['rows'] = []
  for (const { id, name, changes } of study.rows) {
    const folder = join(run.folder, 'rows', id)
    const runEnvironment = BenchRun.safeParse(await readJsonFile(join(folder, 'environment.json'))).data
    const differences = result?.rows.find(row => row.id === id)?.differences ?? []
    rows.push({
      configuration: id,
      name,
      changes,
      run: `${run.id}/rows/${id}`,
      settings: runEnvironment ? settingsThatDiffer(base, await readJsonFile(join(folder, 'config.json'))) : [],
      finished: (await readJsonFile(join(folder, 'summary.json'))) !== undefined,
      tasks: runEnvironment?.tasks ?? [],
      lines: await readLines(folder),
      differences: differences.map(({ task, n, difference, interval, holm }) => ({
        task,
        n,
        difference,
        low: interval.low,
        high: interval.high,
        p: holm,
      })),
    })
  }
  const unfinished = 'The study is not over; differences are worked out when it stops.'
  const { benchmark, split, samples } = study
  return { run, about: { benchmark, split, samples }, notes: result?.notes ?? [unfinished], rows }
}

export function listConfigurations({ rows }: Loaded): ConfigurationRow[] {
  return rows.map(({ tasks, by, ...row }) => ({
    ...row,
    tasks: tasks.flatMap(task => {
      const foundRow = taskRow(row.lines, task)
      if (!foundRow) return []
      const { standardError: _, ...score } = foundRow
      return [score]
    }),
    aim: by === 'alone' ? [] : measureAims(row.lines, tasks), // a model alone cites nothing
    cost: meanCost(row.lines),
  }))
}

function meanCost(lines: readonly SampleLine[]): ReportedConfiguration['cost'] {
  const { questions, ...spreads } = sumCost(lines)
  const { seconds, calls, tokens, frames, money } = spreads
  return {
    questions,
    seconds: seconds.mean,
    calls: calls.mean,
    tokens: tokens.mean,
    frames: frames.mean,
    money: money.mean,
  }
}
