import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Models } from '../../../src/app/models/models.ts'
import type { Watch } from '../../../src/core/agent.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { makeFolder } from '../../../src/store/durable.ts'
import type { BenchRequest } from '../../bench/bench-request.ts'
import { plannedStages } from '../../bench/missing-stages.ts'
import { type Bench, openBench } from '../../bench/open-bench.ts'
import { settingsThatDiffer } from '../../runner/compare-settings.ts'
import type { SampleLine } from '../../runner/line.ts'
import type { Preflight } from '../../runner/preflight.ts'
import type { RunProgress } from '../../runner/run-benchmark.ts'
import { readJson, readLines } from '../../runner/run-files.ts'
import { changeName } from '../matrix/change.ts'
import { type StudyPlan, studyPlan } from '../matrix/plan.ts'
import { baseId, type Row } from '../matrix/rows.ts'
import { writeReports } from '../report/write-reports.ts'
import { rowChange } from '../rows/row-change.ts'
import { rowStages } from '../rows/row-stages.ts'
import { baseIndexes } from './base-indexes.ts'
import { readResult } from './read-result.ts'
import { replayer } from './replay.ts'
import type { StudyResult } from './result.ts'
import { newStudyFiles, openStudyFiles, type StudyFiles } from './study-files.ts'
import { type AblateRequest, type AblateWorld, openStudyParts, type StudyParts } from './study-parts.ts'

// A study in steps, so that whoever starts it can look before anything is spent. Close it at the end.
export interface Study {
  rows: Row[]
  samples: number
  profile: { name: string; why: string }
  check(onVideo: (done: number, total: number) => void): Promise<Preflight>
  plan(checked: Preflight): Promise<StudyPlan>
  openFiles(): Promise<StudyFiles>
  run(files: StudyFiles, checked: Preflight, progress: StudyProgress): Promise<StudyResult>
  close(): Promise<void>
}

export interface StudyProgress {
  onRow(row: Row, place: number, of: number): void
  watch: Watch
  onSample(line: SampleLine, progress: RunProgress): void
}

export async function openStudy(request: AblateRequest, world: AblateWorld): Promise<Study> {
  const parts = await openStudyParts(request, { ...world, say: once(world.say) })
  return {
    rows: parts.rows,
    samples: parts.collected.samples.length,
    profile: parts.profile,
    check: onVideo => withBench(parts, parts.rows[0], {}, bench => bench.check(onVideo)),
    plan: checked => plan(parts, checked),
    openFiles: () => openFiles(parts),
    run: (files, checked, progress) => run(parts, files, checked, progress),
    close: () => parts.models.close(),
  }
}

// What every row would say again is said once.
function once(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>()
  return line => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
}

async function withBench<T>(
  parts: StudyParts,
  row: Row,
  more: Partial<BenchRequest>,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const { request, world } = parts
  const { benchmark, data, videos, split, limit, tasks, options, judge, wording, concurrency, dryRun } = request
  const { base, config } = request
  const bench = await openBench(
    {
      ...{ benchmark, data, videos, split, limit, tasks, options, judge, wording, concurrency, dryRun, by: 'agent' },
      flags: { profile: base.profile, config, set: base.set },
      ...more,
    },
    { ...world, config: await parts.configOf(row) },
  )
  try {
    return await work(bench)
  } finally {
    await bench.close()
  }
}

async function plan(parts: StudyParts, checked: Preflight): Promise<StudyPlan> {
  const { rows, request, world, library, gold, notes } = parts
  const forecast = await withBench(parts, rows[0], {}, bench => bench.forecast(checked))
  const paths = checked.videos.flatMap(({ path, state }) =>
    path && (state === 'ready' || state === 'doubtful') ? [path] : [],
  )
  const host = { folder: `${world.home}/models`, environment: world.environment, signal: world.signal, say: world.say }
  return studyPlan({
    rows,
    forecast,
    async stages(row) {
      const own = await parts.settingsOf(row)
      const changes = await rowStages(row.changes, request.matrix.seed, gold)
      const stagesOf = plannedStages(library, new Models(own.models, host), own.index, changes)
      return (await Promise.all(paths.map(stagesOf))).flat()
    },
    isAsBase: row => row.changes.every(change => change.kind === 'fault' && change.fault.amount === 0),
    notes: rows.flatMap(row => (notes.get(row.id) ?? []).map(note => `${row.name}: ${note}`)),
  })
}

async function openFiles(parts: StudyParts): Promise<StudyFiles> {
  const { request, world, collected, redact, settings, profile, rows } = parts
  const { benchmark, data, videos, split, limit, tasks, options, judge, wording, base, config, matrix } = request
  const shown = rows.map(({ id, name, changes }) => ({ id, name, changes: changes.map(changeName) }))
  if (request.resume === undefined)
    return newStudyFiles({
      home: world.home,
      out: request.out,
      matrix,
      config: settings,
      redact,
      environment: {
        kind: 'ablate',
        name: `ablate ${benchmark}${split ? ` ${split}` : ''}`,
        version: world.version,
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
        ...{ profile, benchmark, data, videos, split, limit, tasks, options, judge, wording, base, config },
        dataHash: collected.hash,
        samples: collected.samples.length,
        rows: shown,
      },
    })
  const files = await openStudyFiles(request.resume, redact)
  const before = await readJson(join(files.folder, 'config.json'))
  const identity = (rows: unknown, dataHash: string, seed: number, fromStep?: number) =>
    JSON.parse(JSON.stringify({ dataHash, seed, fromStep, rows: JSON.stringify(rows) })) as object
  const differences = [
    ...settingsThatDiffer(
      identity(files.study.rows, files.study.dataHash, files.matrix.seed, files.matrix.fromStep),
      identity(shown, collected.hash, matrix.seed, matrix.fromStep),
    ),
    ...settingsThatDiffer(before, JSON.parse(JSON.stringify(redact(settings)))),
  ]
  if (differences.length === 0) return files
  files.close()
  throw new UsageError(
    `This is another study than the one in ${request.resume}: ${differences.slice(0, 3).join('; ')}.`,
    {
      hint: 'Give the same data, changes and settings, or begin a new study.',
    },
  )
}

// Row by row, the base first: what a row needs is made once, and read from there by the rows after it.
async function run(
  parts: StudyParts,
  files: StudyFiles,
  checked: Preflight,
  { onRow, watch, onSample }: StudyProgress,
): Promise<StudyResult> {
  const { rows, world, request } = parts
  const { fromStep, seed } = request.matrix
  const indexes = baseIndexes(parts)
  const earlier: SampleLine[] = []
  try {
    for (const [place, row] of rows.entries()) {
      world.signal.throwIfAborted()
      const folder = join(files.folder, 'rows', row.id)
      if (await isDone(folder)) {
        earlier.push(...(await readLines(folder)))
        continue
      }
      onRow(row, place, rows.length)
      await makeFolder(folder)
      const replay =
        fromStep === undefined || row.id === baseId
          ? undefined
          : replayer({ rounds: fromStep, settings: parts.settings, models: parts.models, index: indexes.open })
      const change = await rowChange({
        ...{ row, seed, folder, replay, earlier },
        study: files.folder,
        library: parts.library,
        redact: parts.redact,
        gold: parts.gold,
      })
      try {
        const begun = await isThere(join(folder, 'environment.json'))
        await withBench(parts, row, { change, ...(begun ? { resume: folder } : { out: folder }) }, async bench => {
          const own = await bench.openFiles(checked)
          try {
            await bench.run(own, { watch, onSample })
          } finally {
            own.close()
          }
        })
      } finally {
        await change.close()
      }
      earlier.push(...(await readLines(folder)))
    }
  } finally {
    await indexes.close()
    await writeReports(files, await readResult(files.folder, parts.notes))
  }
  return (await readResult(files.folder, parts.notes)).result
}

// Finished, and every question of it asked and judged.
async function isDone(folder: string): Promise<boolean> {
  const summary = (await readJson(join(folder, 'summary.json'))) as { failed?: number; unjudged?: number } | undefined
  return summary !== undefined && summary.failed === 0 && summary.unjudged === 0
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
