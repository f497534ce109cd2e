import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { preprocess, type StageName, type StageOutcome, type StageRunners } from '../../graphs/preprocess.ts'
import { coverageOf, type TrackOutcome } from '../../tools/stages/coverage.ts'
import { decodeStage } from '../../tools/stages/decode.ts'
import { overviewEvidence, overviewOf } from '../../tools/stages/overview.ts'
import { soundsStage } from '../../tools/stages/sounds.ts'
import { speechStage } from '../../tools/stages/speech.ts'
import type { StageContext } from '../../tools/stages/stage.ts'
import { openStills } from '../../tools/stages/still-file.ts'
import { textStage } from '../../tools/stages/text.ts'
import { vectorsStage } from '../../tools/stages/vectors.ts'
import { voicesStage } from '../../tools/stages/voices.ts'
import type { Watch } from '../core/agent.ts'
import { BackendError, InterruptedError, UsageError } from '../core/errors.ts'
import { byTime, Evidence, stamp } from '../core/evidence.ts'
import type { StageReport } from '../core/runtime.ts'
import type { StageResult, StageWriter } from '../core/stage.ts'
import { Span } from '../core/time.ts'
import { Coverage, Overview, Shot, Still, type Video } from '../core/video.ts'
import { pcmFile } from '../media/audio.ts'
import type { PassReport } from '../media/decode-pass.ts'
import { readSubtitles, type SubtitleTrack } from '../media/subtitles.ts'
import { withLock } from '../store/lock.ts'
import { findStage, readStage, runStage } from '../store/stage.ts'
import { buildTextIndex } from '../store/text-index.ts'
import { vectorIndexes } from '../store/vectors/index.ts'
import type { Models } from './models.ts'
import {
  type IndexSettings,
  type Planned,
  type PlannedName,
  planStages,
  planSubtitlesOnly,
  type StagePlan,
} from './plan-stages.ts'

export interface IndexWork {
  video: Video
  folder: string // of the video in the library
  models: Models
  settings: IndexSettings
  watch: Watch
  signal: AbortSignal
}

export interface Indexed {
  video: Video
  plan: StagePlan
  stages: Partial<Record<PlannedName, StageResult>>
  reports: StageReport[]
  coverage: Coverage
  overview: Overview
}

// Makes what is missing of a video's index and returns where everything lies. A whole index is found without a lock.
export async function indexVideo(work: IndexWork): Promise<Indexed> {
  const whole = await findWhole(work)
  if (whole) return whole
  return withLock(work.folder, () => build(work), {
    signal: work.signal,
    onWait: holder =>
      work.watch({
        type: 'stage',
        stage: 'lock',
        state: 'waiting',
        note: `another longtake works on this video${holder ? `: ${holder}` : ''}`,
      }),
  })
}

async function findWhole(work: IndexWork): Promise<Indexed | undefined> {
  const subtitled = await knownToBeSubtitled(work)
  if (subtitled === undefined) return undefined
  const plan = await planStages(work.video, work.models, work.settings, subtitled)
  const stages: Indexed['stages'] = {}
  const reports: StageReport[] = []
  for (const planned of Object.values(plan)) {
    if (planned.skip !== undefined) {
      reports.push(skipped(planned.stage, planned.skip, 0))
      continue
    }
    const found = await findStage(work.folder, planned.stage, planned.key)
    if (!found) return undefined
    stages[planned.stage] = found
    reports.push({
      stage: planned.stage,
      by: planned.by,
      key: planned.key,
      state: 'reused',
      started: 0,
      seconds: 0,
      items: 0,
    })
  }
  return { ...(await conclusions(work.video, stages)), plan, stages, reports }
}

async function knownToBeSubtitled(work: IndexWork): Promise<boolean | undefined> {
  const planned = await planSubtitlesOnly(work.video, work.settings)
  if (planned.skip !== undefined) return false
  const found = await findStage(work.folder, planned.stage, planned.key)
  return found && (await readCues(found)).some(track => track.cues.length > 0)
}

async function build(work: IndexWork): Promise<Indexed> {
  const { video, models, settings, watch, signal } = work
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  const stages: Indexed['stages'] = {}
  const reports: StageReport[] = []

  // Runs one planned stage, or finds it finished. Only what outside things did wrong becomes a "failed" track.
  const run = async (
    planned: Planned,
    make: (context: StageContext) => Promise<void>,
    mayFail = false,
  ): Promise<StageOutcome> => {
    const { stage } = planned
    const started = since()
    if (planned.skip !== undefined) {
      reports.push(skipped(stage, planned.skip, started))
      watch({ type: 'stage', stage, state: 'skipped', note: planned.skip })
      return { state: 'skipped', note: planned.skip }
    }
    watch({ type: 'stage', stage, state: 'running', done: 0, total: video.duration })
    const progress = (done: number, total: number) =>
      watch({ type: 'stage', stage, state: 'running', done, total, seconds: since() - started })
    try {
      const result = await runStage({
        ...planned,
        folder: work.folder,
        video: video.id,
        signal,
        make: (out: StageWriter) => make({ video, out, progress, signal }),
      })
      stages[stage] = result
      const state = result.reused ? 'reused' : 'done'
      const seconds = since() - started
      const note = result.meta.notes.join('; ') || undefined
      reports.push({
        stage,
        by: planned.by,
        key: planned.key,
        state,
        started,
        seconds,
        items: await countItems(result),
        note,
      })
      watch({ type: 'stage', stage, state, done: video.duration, total: video.duration, seconds, note })
      return { state, key: planned.key, note }
    } catch (error) {
      if (signal.aborted)
        throw new InterruptedError('Stopped while indexing.', {
          cause: error,
          hint: 'The same command goes on where it stopped.',
        })
      if (!mayFail || !(error instanceof BackendError)) throw error
      reports.push({
        stage,
        by: planned.by,
        key: planned.key,
        state: 'failed',
        started,
        seconds: since() - started,
        items: 0,
        note: error.message,
      })
      watch({ type: 'stage', stage, state: 'failed', note: error.message })
      return { state: 'failed', note: error.message }
    }
  }

  const subtitles = await planSubtitlesOnly(video, settings)
  if (subtitles.skip === undefined) {
    await run(subtitles, async ({ out }) => out.json('tracks.json', await readSubtitles(video, signal)))
  }
  const cues = stages.subtitles ? chooseTrack(await readCues(stages.subtitles)) : undefined
  const plan = await planStages(video, models, settings, cues !== undefined)
  const decoded = () => stages.decode as StageResult
  const stills = async () => ({
    list: await readStage(decoded().folder).json('stills.json', z.array(Still)),
    file: await openStills(readStage(decoded().folder).path('stills.bin')),
  })
  const shots = () => readStage(decoded().folder).json('shots.json', z.array(Shot))
  const sound = () => pcmFile(readStage(decoded().folder).path('sound.pcm'))

  const runners: StageRunners = {
    probe: async () => ({ state: 'done', key: video.id }),
    decode: () =>
      run(plan.decode, async context => {
        const { service } = await models.openFresh('shots')
        await decodeStage(context, service, settings)
      }),
    vectors: () =>
      run(
        plan.vectors,
        async context => {
          const { service } = await models.open('embedImage')
          const { list, file } = await stills()
          await vectorsStage(context, service, list, file).finally(() => file.close())
        },
        true,
      ),
    text: () =>
      run(
        plan.text,
        async context => {
          const { service, by } = await models.open('readText')
          const { list, file } = await stills()
          await textStage(context, service, by, list, await shots(), file).finally(() => file.close())
        },
        true,
      ),
    speech: async () => {
      if (cues) return run(plan.speech, context => subtitleStage(context, cues))
      const voices = await run(
        plan.voices,
        async context => voicesStage(context, (await models.open('voice')).service, await sound()),
        true,
      )
      if (voices.state === 'failed') return { state: 'failed', note: voices.note }
      return run(
        plan.speech,
        async context => {
          const { service, by } = await models.open('transcribe')
          const spans = await readStage((stages.voices as StageResult).folder).json('voices.json', z.array(Span))
          await speechStage(context, service, by, await sound(), spans)
        },
        true,
      )
    },
    sounds: () =>
      run(
        plan.sounds,
        async context => {
          const { service, by } = await models.open('hear')
          await soundsStage(context, service, by, await sound())
        },
        true,
      ),
    overview: state =>
      run(withFailures(plan.overview, state.stages), async context => {
        const rows = await trackRows(stages)
        const report = (await readStage(decoded().folder).json('report.json', z.unknown())) as PassReport
        const outcome = (stage: 'vectors' | 'text' | 'speech' | 'sounds'): TrackOutcome => {
          const planned = plan[stage]
          return {
            ...(state.stages[stage] as StageOutcome),
            by: planned.skip === undefined ? planned.by : undefined,
            items: rows.filter(row => trackOf[stage] === row.track).length,
          }
        }
        const picture = { ...outcome('vectors'), items: (await stillList(decoded())).length }
        const coverage = coverageOf(video, report, {
          picture,
          speech: outcome('speech'),
          sound: outcome('sounds'),
          text: outcome('text'),
        })
        const overview = overviewOf(video, coverage, await shots(), rows)
        await context.out.json('coverage.json', coverage)
        await context.out.json('overview.json', overview)
        await context.out.lines('evidence.jsonl', overviewEvidence(video, overview))
      }),
    words: state =>
      run(withFailures(plan.words, state.stages), async context =>
        buildTextIndex(context.out.path('words.sqlite'), await allRows(stages)),
      ),
    nearest: () =>
      stages.vectors || plan.nearest.skip !== undefined
        ? run(plan.nearest, async context => {
            const { vectors, dimensions } = await readVectors(stages.vectors as StageResult)
            const index = await vectorIndexes[settings.vectors].create(dimensions, Math.max(1, vectors.length))
            vectors.forEach((vector, key) => {
              index.add(key, vector)
            })
            await index.save(context.out.path('vectors.index'))
            await index.close?.()
          })
        : Promise.resolve({ state: 'failed', note: 'no vectors' }),
    meaning: state =>
      run(
        withFailures(plan.meaning, state.stages),
        async context => {
          const { service } = await models.open('embedText')
          const rows = await allRows(stages)
          const sink = await context.out.bytes('vectors.f32')
          for (let at = 0; at < rows.length; at += 64) {
            for (const vector of await service.passages(
              rows.slice(at, at + 64).map(row => row.text),
              signal,
            )) {
              await sink.write(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
            }
          }
          await sink.close()
          await context.out.json('vectors.json', {
            dimensions: service.dimensions,
            count: rows.length,
            ids: rows.map(row => row.id),
          })
        },
        true,
      ),
  }
  await preprocess(runners, signal)
  return { ...(await conclusions(video, stages)), plan, stages, reports }
}

const trackOf = { vectors: 'picture', text: 'text', speech: 'speech', sounds: 'sound' } as const

// What a failed track leaves out must not be mistaken for the whole: it gets a key of its own.
function withFailures(planned: Planned, states: Partial<Record<StageName, StageOutcome>>): Planned {
  const failed = Object.entries(states).flatMap(([stage, outcome]) => (outcome?.state === 'failed' ? [stage] : []))
  if (planned.skip !== undefined || failed.length === 0) return planned
  return { ...planned, key: `${planned.key.slice(0, 40)}-without-${failed.sort().join('-')}` }
}

function skipped(stage: string, note: string, started: number): StageReport {
  return { stage, by: '', key: '', state: 'skipped', started, seconds: 0, items: 0, note }
}

async function conclusions(
  video: Video,
  stages: Indexed['stages'],
): Promise<Pick<Indexed, 'video' | 'coverage' | 'overview'>> {
  const reader = readStage((stages.overview as StageResult).folder)
  return {
    video,
    coverage: await reader.json('coverage.json', Coverage),
    overview: await reader.json('overview.json', Overview),
  }
}

// Rows of the tracks, in time order.
export async function trackRows(stages: Indexed['stages']): Promise<Evidence[]> {
  const lists = await Promise.all(
    (['text', 'speech', 'sounds'] as const).map(stage =>
      stages[stage] ? readStage((stages[stage] as StageResult).folder).lines('evidence.jsonl', Evidence) : [],
    ),
  )
  return lists.flat().sort(byTime)
}

export async function allRows(stages: Indexed['stages']): Promise<Evidence[]> {
  const summaries = await readStage((stages.overview as StageResult).folder).lines('evidence.jsonl', Evidence)
  return [...(await trackRows(stages)), ...summaries].sort(byTime)
}

export function stillList(decode: StageResult): Promise<Still[]> {
  return readStage(decode.folder).json('stills.json', z.array(Still))
}

const VectorsFile = z.object({ dimensions: z.number(), count: z.number(), ids: z.array(z.string()).optional() })

export async function readVectors(
  result: StageResult,
): Promise<{ dimensions: number; vectors: Float32Array[]; ids: string[] }> {
  const reader = readStage(result.folder)
  const { dimensions, count, ids } = await reader.json('vectors.json', VectorsFile)
  const bytes = await readFile(reader.path('vectors.f32'))
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return {
    dimensions,
    ids: ids ?? [],
    vectors: Array.from({ length: count }, (_, i) => all.subarray(i * dimensions, (i + 1) * dimensions)),
  }
}

async function readCues(result: StageResult): Promise<SubtitleTrack[]> {
  return (await readStage(result.folder).json('tracks.json', z.array(z.unknown()))) as SubtitleTrack[]
}

// The first track with cues: sidecars come before streams, as the person put them there.
function chooseTrack(tracks: SubtitleTrack[]): SubtitleTrack | undefined {
  return tracks.find(track => track.cues.length > 0)
}

async function subtitleStage({ video, out }: StageContext, track: SubtitleTrack): Promise<void> {
  out.note(
    `speech comes from ${track.source === 'sidecar' ? `the subtitle file ${track.name}` : `the subtitle track ${track.name}`}`,
  )
  const rows = track.cues
    .filter(cue => cue.span.start < video.duration && cue.text.trim() !== '')
    .map(cue =>
      stamp(
        {
          span: { start: cue.span.start, end: Math.min(cue.span.end, video.duration) },
          track: 'speech',
          text: cue.text,
          speaker: cue.speaker,
        },
        video.id,
        'transcribe/subtitles',
      ),
    )
  await out.lines('evidence.jsonl', rows)
}

async function countItems(result: StageResult): Promise<number> {
  const file = Object.keys(result.meta.files).find(name => name === 'evidence.jsonl')
  if (!file) return 0
  return (await readFile(readStage(result.folder).path(file), 'utf8')).split('\n').filter(Boolean).length
}

export function assertSomethingToIndex(video: Video): void {
  if (video.picture || video.sound) return
  throw new UsageError(`${video.name} holds neither picture nor sound.`, { hint: 'Give a video or audio file.' })
}
