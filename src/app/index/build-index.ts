import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { preprocess, type StageName, type StageOutcome, type StageRunners } from '../../../graphs/preprocess.ts'
import { coverageOf, soundHoles, type TrackOutcome } from '../../../tools/stages/coverage.ts'
import { decodeStage } from '../../../tools/stages/decode.ts'
import { meaningStage } from '../../../tools/stages/meaning.ts'
import { overviewStage } from '../../../tools/stages/overview.ts'
import { soundsStage } from '../../../tools/stages/sounds.ts'
import { speechStage } from '../../../tools/stages/speech.ts'
import { withSubtitleProblems } from '../../../tools/stages/subtitle-problems.ts'
import { subtitleStage } from '../../../tools/stages/subtitles.ts'
import { textStage } from '../../../tools/stages/text.ts'
import { vectorsStage } from '../../../tools/stages/vectors.ts'
import { voicesStage } from '../../../tools/stages/voices.ts'
import { memoryBound } from '../../core/memory-bound.ts'
import { Span } from '../../core/time.ts'
import { pcmFile } from '../../media/audio.ts'
import type { PassReport } from '../../media/decode-pass.ts'
import { readSubtitles } from '../../media/subtitles.ts'
import { buildTextIndex } from '../../search/text-index.ts'
import type { HeldLock } from '../../store/lock.ts'
import { findStage, readStage } from '../../store/stage.ts'
import { stageFolder } from '../../store/stage-check.ts'
import { refuseBound } from '../models/memory/stage-memory.ts'
import type { ContentWork } from './content/compare.ts'
import { type ContentGuard, guardContent } from './content/guard.ts'
import {
  allRows,
  need,
  readCues,
  readOverview,
  readSubtitleTracks,
  rowsOf,
  shotList,
  speechTrack,
  stillList,
  trackRows,
  writeSubtitles,
} from './index-files.ts'
import type { Indexed, IndexWork } from './index-video.ts'
import { nearestIndex } from './nearest.ts'
import { type Planned, planStages, planSubtitlesOnly, type StagePlan } from './plan-stages.ts'
import { soundEarly } from './sound-early.ts'
import { type MakeStage, stageRunner } from './stage-runner.ts'
import { stillsEarly } from './stills-early.ts'

// No result is published that may be of a file which changed on the way.
export async function buildIndex(work: IndexWork, held: HeldLock, content: ContentWork): Promise<Indexed> {
  const guard = await guardContent(work.video, work.folder, content)
  try {
    const indexed = await build(work, held, guard)
    await guard.finish()
    return indexed
  } finally {
    guard.stop()
  }
}

async function build(work: IndexWork, held: HeldLock, { check }: ContentGuard): Promise<Indexed> {
  const { video, models, settings, changes } = work
  const { results, reports, run } = stageRunner({ ...work, check }, held)

  const subtitles = await planSubtitlesOnly(video, settings)
  if (subtitles.skip === undefined)
    await run(subtitles, work.signal, 'needed', async ({ out, signal }) =>
      writeSubtitles(out, await readSubtitles(video, signal)),
    )
  const said = results.subtitles && (await speechTrack(results.subtitles))
  const plan = await planStages(video, models, settings, said !== undefined, changes)
  if (memoryBound()) await refuseBound(await missing(work, plan), work)

  const decoded = () => readStage(need(results.decode).folder)
  const decodeKey = plan.decode.skip === undefined ? plan.decode.key : ''
  const early = soundEarly(join(stageFolder(work.folder, 'decode', decodeKey), 'sound.pcm'))
  const sound = () => pcmFile(...early.places())
  const stills = stillsEarly(early.decoded)
  const stillsOf = (signal: AbortSignal) =>
    stills.source(
      async () => ({
        file: decoded().path('stills.bin'),
        stills: await stillList(need(results.decode), changes),
        shots: await shotList(need(results.decode)),
      }),
      signal,
      !changes?.stills,
    )

  const decode: MakeStage = async context =>
    decodeStage(
      { ...context, ready: early.ready, kept: stills.kept },
      (await models.openFresh('shots')).service,
      settings,
    )
  const nearest = nearestIndex(settings.vectors)
  const vectors: MakeStage = async context => {
    const { service } = await models.open('embedImage')
    const source = await stillsOf(context.signal)
    await vectorsStage(context, service, source, nearest.found).finally(() => source.file.close())
  }
  const text: MakeStage = async context => {
    const { service, by } = await models.open('readText')
    const source = await stillsOf(context.signal)
    await textStage(context, service, by, source).finally(() => source.file.close())
  }
  const voices: MakeStage = async context => voicesStage(context, (await models.open('voice')).service, await sound())
  const speech: MakeStage = async context => {
    const spans = await readStage(need(results.voices).folder).json('voices.json', z.array(Span))
    // Where nobody speaks no model is loaded.
    if (spans.length === 0) return void (await context.out.lines('evidence.jsonl', []))
    const { service, by } = await models.open('transcribe')
    await speechStage(context, service, by, await sound(), spans)
  }
  const sounds: MakeStage = async context => {
    const { service, by } = await models.open('hear')
    const gaps = early.gaps() ?? ((await decoded().json('report.json', z.unknown())) as PassReport).audio?.gaps
    await soundsStage(context, service, by, await sound(), soundHoles(video, gaps))
  }
  const overview = (states: States): MakeStage => {
    return async context => {
      const rows = await trackRows(results)
      const report = (await decoded().json('report.json', z.unknown())) as PassReport
      const stills = await stillList(need(results.decode), changes)
      const outcome = (stage: TrackStage): TrackOutcome => {
        const items = stage === 'vectors' ? stills.length : rows.filter(row => row.track === trackOf[stage]).length
        const planned = changedOf(plan, stage) ?? plan[stage]
        return {
          ...(states[stage] ?? { state: 'skipped' }),
          by: planned.skip === undefined ? planned.by : undefined,
          items,
        }
      }
      const outcomes = {
        picture: outcome('vectors'),
        text: outcome('text'),
        speech: outcome('speech'),
        sound: outcome('sounds'),
      }
      const coverage = coverageOf(video, report, outcomes, said?.source)
      const told = withSubtitleProblems(coverage, results.subtitles ? await readSubtitleTracks(results.subtitles) : [])
      await overviewStage(context, told, await shotList(need(results.decode)), rows)
    }
  }
  const words: MakeStage = async ({ out, signal }) =>
    buildTextIndex(out.path('words.sqlite'), await allRows(results), signal)
  const meaning: MakeStage = async context =>
    meaningStage(context, (await models.open('embedText')).service, await allRows(results))

  const changed = async (
    stage: 'speech' | 'text',
    before: StageOutcome,
    signal: AbortSignal,
  ): Promise<StageOutcome> => {
    const planned = changedOf(plan, stage)
    const change = changes?.[stage]
    if (!planned || !change || before.state === 'failed') return before
    const found = results[stage]
    return run(planned, signal, 'needed', async ({ out }) => {
      await out.lines('evidence.jsonl', await change.rows(video, found ? await rowsOf(found) : []))
    })
  }

  const voicesFirst = goesFirst()
  const transcribed = async (signal: AbortSignal): Promise<StageOutcome> => {
    await early.sound
    if (said && plan.speech.skip === undefined) {
      voicesFirst.isOver()
      const made = await run(plan.speech, signal, 'needed', async context =>
        subtitleStage(context, await readCues(need(results.subtitles), said)),
      )
      return changed('speech', made, signal)
    }
    voicesFirst.begins()
    const found = await run(plan.voices, signal, 'track', voices)
    voicesFirst.isOver()
    return found.state === 'failed' ? found : changed('speech', await run(plan.speech, signal, 'track', speech), signal)
  }
  const runners: StageRunners = {
    probe: async () => ({ state: 'done', key: video.id }),
    decode: (_, signal) => early.decoding(() => run(plan.decode, signal, 'needed', decode)),
    vectors: async (_, signal) => {
      await stills.begun()
      await voicesFirst.onFewCores()
      return run(plan.vectors, signal, 'track', vectors)
    },
    text: async (_, signal) => {
      await stills.begun()
      await voicesFirst.onFewCores()
      return changed('text', await run(plan.text, signal, 'track', text), signal)
    },
    sounds: async (_, signal) => {
      await early.sound
      await voicesFirst.over
      return run(plan.sounds, signal, 'track', sounds)
    },
    speech: (_, signal) => transcribed(signal).finally(voicesFirst.isOver),
    overview: ({ stages }, signal) => run(without(failed(stages), plan.overview), signal, 'needed', overview(stages)),
    words: ({ stages }, signal) => run(without(failed(stages), plan.words), signal, 'needed', words),
    nearest: ({ stages }, signal) =>
      stages.vectors?.state === 'failed'
        ? Promise.resolve(stages.vectors)
        : run(
            plan.nearest,
            signal,
            'needed',
            nearest.stage(
              () => need(results.vectors),
              () => stillList(need(results.decode), changes),
            ),
          ),
    meaning: ({ stages }, signal) => run(without(failed(stages), plan.meaning), signal, 'track', meaning),
  }
  await preprocess(runners, work.signal)
  return { video, stages: results, reports, ...(await readOverview(need(results.overview))) }
}

async function missing({ folder, watch }: IndexWork, plan: StagePlan): Promise<Planned[]> {
  const onDamage = (text: string) => watch({ type: 'note', text })
  const found = await Promise.all(
    Object.values(plan).map(async planned =>
      planned.skip === undefined && !(await findStage(folder, planned.stage, planned.key, onDamage)) ? [planned] : [],
    ),
  )
  return found.flat()
}

// Speech takes longest as a rule, and can begin when the voices are found, which is soon done: so the others let that go first. On few
// cores all of them do, but only where it has begun: the sound may come late, or never.
function goesFirst() {
  let isOver = () => {}
  let hasBegun = false
  const over = new Promise<void>(resolve => {
    isOver = resolve
  })
  return {
    begins: () => {
      hasBegun = true
    },
    isOver: () => isOver(),
    over,
    onFewCores: async () => {
      if (hasBegun && availableParallelism() <= 4) await over
    },
  }
}

type States = Partial<Record<StageName, StageOutcome>>
const trackOf = { vectors: 'picture', text: 'text', speech: 'speech', sounds: 'sound' } as const
type TrackStage = keyof typeof trackOf

function changedOf(plan: StagePlan, stage: TrackStage): Planned | undefined {
  return stage === 'speech' ? plan.changedSpeech : stage === 'text' ? plan.changedText : undefined
}

function failed(states: States): string[] {
  return Object.entries(states).flatMap(([stage, outcome]) => (outcome?.state === 'failed' ? [stage] : []))
}

// What was made without a failed track must not be mistaken for the whole: it gets a key of its own.
function without(failures: string[], planned: Planned): Planned {
  if (planned.skip !== undefined || failures.length === 0) return planned
  return { ...planned, key: `${planned.key}-without-${failures.sort().join('-')}` }
}
