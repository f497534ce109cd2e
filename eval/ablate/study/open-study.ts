import { join } from 'node:path'
import { recordedSettings } from '../../../src/config/recorded-settings.ts'
import type { Watch } from '../../../src/core/agent.ts'
import type { OpenVideo } from '../../../src/core/runtime.ts'
import { makesNoIndex, plannedStages } from '../../../src/runtime/index/forecast/planned-stages.ts'
import { Models } from '../../../src/runtime/models/models.ts'
import { ensureFolder } from '../../../src/store/durable.ts'
import { exists } from '../../../src/store/read-file.ts'
import type { SampleLine } from '../../data/sample-line.ts'
import { subtitleFile } from '../../runner/ask/by/over-index.ts'
import type { RunProgress } from '../../runner/ask/process-samples.ts'
import type { AgentChange, BenchRequest } from '../../runner/bench-request.ts'
import { type AblationChange, changeName } from '../../runner/changes/change.ts'
import { readLines } from '../../runner/files/run-files.ts'
import { environmentNow, refuseOther } from '../../runner/files/run-folder.ts'
import type { Preflight } from '../../runner/preflight.ts'
import { type Bench, openBench } from '../../runner/run-benchmark.ts'
import { localRunner, type Runner } from '../../runner/runner.ts'
import { type StudyPlan, studyPlan } from '../matrix/forecast-study.ts'
import { baseId, type MatrixRow, mapRows } from '../matrix/rows.ts'
import { writeReports } from '../report/files.ts'
import { isDone, readResult } from '../result/read-result.ts'
import type { StudyResult } from '../result/result.ts'
import { newStudyFiles, openStudyFiles, type StudyFiles } from '../result/study-files.ts'
import { replayer } from '../rows/replay.ts'
import { rowChange, rowStages } from '../rows/row-change.ts'
import { chooseJudgeMode, filesOfRows, hashJudging, rowOptions, studyIdentity } from './identity.ts'
import { type AblateRequest, type AblateWorld, openStudyParts, type StudyParts } from './study-parts.ts'

// A study in steps, so that the caller can look before anything is spent. Close it at the end.
export interface Study {
  rows: MatrixRow[]
  samples: number
  profile: { name: string; why: string }
  check(onVideo: (done: number, total: number) => void): Promise<Preflight>
  plan(checked: Preflight): Promise<StudyPlan>
  openFiles(): Promise<StudyFiles>
  run(files: StudyFiles, checked: Preflight, progress: StudyProgress, runnerOf?: RowRunner): Promise<StudyResult>
  close(): Promise<void>
}

// Who asks the questions of a row.
export type RowRunner = (folder: string, change: AgentChange) => Promise<Runner>

interface StudyProgress {
  onRow(row: MatrixRow, place: number, of: number): void
  watch: Watch
  onSample(line: SampleLine, progress: RunProgress): void
}

export async function openStudy(request: AblateRequest, world: AblateWorld): Promise<Study> {
  const parts = await openStudyParts(request, { ...world, say: once(world.say) })
  return {
    rows: parts.rows,
    samples: parts.collected.samples.length,
    profile: parts.runtime.profile,
    check: onVideo => checkRows(parts, onVideo),
    plan: checked => plan(parts, checked),
    openFiles: () => openFiles(parts),
    run: (files, checked, progress, runnerOf) => run(parts, files, checked, progress, runnerOf),
    close: () => parts.runtime.close(),
  }
}

// Reports each line once: every row would repeat the same remarks.
function once(say: (line: string) => void): (line: string) => void {
  const shownNotes = new Set<string>()
  return line => {
    if (!shownNotes.has(line)) say(line)
    shownNotes.add(line)
  }
}

async function withBench<T>(
  parts: StudyParts,
  row: MatrixRow,
  more: Partial<BenchRequest>,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const { world } = parts
  const { base, config, out: _, resume: __, matrix: ___, ...request } = parts.request
  const flags = { profile: base.profile, config, set: base.set }
  const bench = await openBench(
    { ...request, options: rowOptions(parts, row), judgeMode: chooseJudgeMode(parts, row), flags, ...more },
    { ...world, config: await parts.configOf(row) },
  )
  try {
    return await work(bench)
  } finally {
    await bench.close()
  }
}

const changesInputFiles: ReadonlySet<AblationChange['kind']> = new Set(['option', 'judge-mode'])

// Rows that show other things may need other files: each is opened, and looks at its videos, before the base is asked. The fullest
// look counts.
async function checkRows(parts: StudyParts, onVideo: (done: number, total: number) => void): Promise<Preflight> {
  const [base, ...others] = parts.rows
  const preflights: Preflight[] = [await withBench(parts, base, {}, bench => bench.check(onVideo))]
  for (const row of others.filter(row => row.changes.some(change => changesInputFiles.has(change.kind))))
    preflights.push(await withBench(parts, row, {}, bench => bench.check(() => {})))
  return preflights.reduce((fullest, one) => (looked(one) > looked(fullest) ? one : fullest))
}

function looked({ videos }: Preflight): number {
  return videos.filter(video => video.path !== undefined || video.state !== 'ready').length
}

async function plan(parts: StudyParts, checked: Preflight): Promise<StudyPlan> {
  const { rows, request, runtime, gold, notes } = parts
  const forecast = await withBench(parts, rows[0], {}, bench => bench.forecast(checked))
  const paths = checked.videos.flatMap(({ path, state }) =>
    path && (state === 'ready' || state === 'doubtful') ? [path] : [],
  )
  return studyPlan({
    rows,
    forecast,
    async stages(row) {
      const rowSettings = await parts.settingsOf(row)
      if (request.by === 'alone' || (await makesNoIndex(rowSettings))) return []
      const changes = await rowStages(row.changes, request.matrix.seed, gold)
      const stagesOf = plannedStages(
        runtime.library,
        new Models(rowSettings.models, runtime.host),
        rowSettings.index,
        changes,
      )
      return (await Promise.all(paths.map(stagesOf))).flat()
    },
    isAsBase: row => row.changes.every(change => change.kind === 'fault' && change.fault.amount === 0),
    notes: rows.flatMap(row => (notes.get(row.id) ?? []).map(note => `${row.name}: ${note}`)),
  })
}

async function openFiles(parts: StudyParts): Promise<StudyFiles> {
  const { request, world, collected, redact, rows } = parts
  const { settings, profile } = parts.runtime
  const { benchmark, data, videos, split, limit, map, matrix } = request
  const { tasks, by, options, judge, judgeMode, wording, base, config } = request
  const named = await filesOfRows(parts)
  const described = mapRows(rows, ({ id, name, changes }) => ({ id, name, changes: changes.map(changeName) }))
  if (request.resume === undefined)
    return newStudyFiles({
      home: world.home,
      out: request.out,
      matrix,
      config: recordedSettings(settings),
      redact,
      environment: {
        ...environmentNow('ablate', request, world.version),
        profile,
        benchmark,
        data,
        videos,
        split,
        limit,
        map,
        tasks,
        by,
        options,
        judge,
        judgeMode,
        wording,
        base,
        config,
        ...(Object.keys(named).length > 0 && { files: named }),
        dataHash: collected.hash,
        samples: collected.samples.length,
        rows: described,
      },
    })
  const files = await openStudyFiles(request.resume, redact)
  const now = { ...request, dataHash: collected.hash, rows: described, files: named }
  const compared = {
    before: studyIdentity(files.study, files.matrix, parts.benchmark),
    now: studyIdentity(now, matrix, parts.benchmark),
    settings: redact(recordedSettings(settings)),
  }
  await refuseOther(files, 'study', compared, 'Give the same data, changes and settings, or begin a new study.')
  return files
}

// Row by row, the base first: what a row needs is made once, and read from there by the rows after it.
async function run(
  parts: StudyParts,
  files: StudyFiles,
  checked: Preflight,
  { onRow, watch, onSample }: StudyProgress,
  runnerOf: RowRunner = async () => localRunner,
): Promise<StudyResult> {
  const { rows, world, request } = parts
  const { fromStep, seed } = request.matrix
  const videos = baseVideos(parts)
  const earlier = new Map<string, SampleLine[]>() // of rows that are judged alike
  try {
    for (const [place, row] of rows.entries()) {
      world.signal.throwIfAborted()
      const folder = join(files.folder, 'rows', row.id)
      const alike = earlier.get(await hashJudging(parts, row)) ?? []
      earlier.set(await hashJudging(parts, row), alike)
      if (await isDone(folder)) {
        alike.push(...(await readLines(folder)))
        continue
      }
      onRow(row, place, rows.length)
      await ensureFolder(folder)
      const replay =
        fromStep === undefined || row.id === baseId ? undefined : replayer({ rounds: fromStep, open: videos.open })
      const change = await rowChange({
        row,
        seed,
        folder,
        fromStep,
        replay,
        earlier: alike,
        study: files.folder,
        library: parts.runtime.library,
        redact: parts.redact,
        gold: parts.gold,
      })
      try {
        const begun = await exists(join(folder, 'environment.json'))
        await withBench(parts, row, { change, ...(begun ? { resume: folder } : { out: folder }) }, async bench => {
          const rowFiles = await bench.openFiles(checked)
          try {
            await bench.run(rowFiles, { watch, onSample }, await runnerOf(rowFiles.folder, change))
          } finally {
            rowFiles.close()
          }
        })
      } finally {
        await change.close()
      }
      alike.push(...(await readLines(folder)))
    }
  } finally {
    await videos.close()
    await writeReports(files, await readResult(files.folder, parts.notes))
  }
  return (await readResult(files.folder, parts.notes)).result
}

// Videos as the base has them, opened when a replay first needs one and closed together. The base row has indexed them before.
function baseVideos({ runtime, gold, world }: StudyParts): {
  open(path: string): Promise<OpenVideo>
  close(): Promise<void>
} {
  const opened = new Map<string, Promise<OpenVideo>>()
  const make = async (path: string) => {
    const sample = gold.samples.find(one => gold.pathOf(one.video) === path)
    const subtitles = subtitleFile(sample && gold.subtitlesOf(sample))
    return runtime.questions.openVideo(path, { subtitles, signal: world.signal })
  }
  return {
    open(path) {
      const cachedVideo = opened.get(path) ?? make(path)
      opened.set(path, cachedVideo)
      return cachedVideo
    },
    async close() {
      for (const video of opened.values()) await (await video.catch(() => undefined))?.close()
    },
  }
}
