import { readFile, stat } from 'node:fs/promises'
import { errorText } from '../../core/errors.ts'
import { contentHash } from '../../core/hash.ts'
import type { Video } from '../../core/video.ts'
import { defaultMaxHours } from '../../media/accepted-length.ts'
import type { Trust } from '../../media/file-look.ts'
import { maxSubtitleBytes } from '../../media/subtitles.ts'
import { stageKey } from '../../store/stage.ts'
import type { Role } from '../models/families.ts'
import type { Models } from '../models/models.ts'
import type { RowsChange, StageChanges } from './stage-changes.ts'

export interface IndexSettings {
  level: string
  segments?: number | 'auto'
  deepen?: boolean
  decoder?: 'auto' | 'software' | 'cuda'
  maxHours?: number // of a video
  stillsPerSecond: number
  stillWidth: number
  vectors: 'hnsw' | 'exact'
  tracks: { picture: boolean; text: boolean; speech: boolean; sound: boolean }
  subtitles: 'use' | 'ignore'
  trustMtime?: boolean // of the video file: see src/media/file-look.ts
}

export function trustOf({ trustMtime }: IndexSettings): Trust {
  return trustMtime ? 'mtime' : 'all'
}

// What the settings say of files: which are taken as known, and how long they may last.
export function filePolicy(settings: IndexSettings): { trust: Trust; maxHours: number } {
  return { trust: trustOf(settings), maxHours: settings.maxHours ?? defaultMaxHours }
}

export type PlannedName =
  | 'subtitles'
  | 'decode'
  | 'vectors'
  | 'text'
  | 'voices'
  | 'speech'
  | 'sounds'
  | 'overview'
  | 'words'
  | 'nearest'
  | 'meaning'

// A stage that is going to run, or the reason why it is not.
export type Planned =
  | { stage: PlannedName; key: string; by: string; settings: unknown; inputs: Record<string, string>; skip?: undefined }
  | { stage: PlannedName; skip: string }

// The changed rows of a track are a second result of its stage, made from the first.
export type StagePlan = Record<PlannedName, Planned> & Partial<Record<'changedSpeech' | 'changedText', Planned>>

// Raise a number when that stage's own code changes what it writes.
const versions: Record<PlannedName, number> = {
  subtitles: 2,
  decode: 5,
  vectors: 2,
  text: 2,
  voices: 1,
  speech: 2,
  sounds: 1,
  overview: 5,
  words: 2,
  nearest: 1,
  meaning: 2,
}

// Every stage with its key, from the video and the configuration alone: nothing is run or opened to know it.
// `subtitled`: cues were found, so that the speech comes from them.
export async function planStages(
  video: Video,
  models: Models,
  settings: IndexSettings,
  subtitled: boolean,
  changes: StageChanges = {},
): Promise<StagePlan> {
  const { tracks } = settings
  const own = (
    stage: PlannedName,
    by: string,
    stageSettings: unknown,
    inputs: Record<string, string>,
    version = '',
  ): Planned => ({
    stage,
    by,
    settings: stageSettings,
    inputs,
    key: stageKey({
      video: video.id,
      stage,
      by,
      settings: stageSettings,
      inputs,
      version: `${versions[stage]} ${version}`,
    }),
  })
  const filled = async (
    stage: PlannedName,
    role: Role,
    extra: object,
    inputs: Record<string, string>,
  ): Promise<Planned> => {
    if (models.isOff(role)) return { stage, skip: `models.${role} is off` }
    const chosen = await models.chosen(role)
    return own(stage, chosen.by, { ...extra, backend: chosen.settings }, inputs, chosen.version)
  }
  const unless = (stage: PlannedName, skip: string | false, planned: () => Promise<Planned>) =>
    skip ? Promise.resolve({ stage, skip }) : planned()
  const noPicture = !video.picture && 'the video has no picture'
  const noSound = !video.sound && 'the video has no audio track'

  const subtitles = await planSubtitles(video, settings, own)
  const { stillsPerSecond, stillWidth, level } = settings
  // From keyframes alone shots are found in one way only, whichever backend is set.
  const decode =
    level === 'quick'
      ? own('decode', 'shots/keyframes', { stillsPerSecond, stillWidth, level }, {})
      : await filled('decode', 'shots', { stillsPerSecond, stillWidth, level }, {})
  const from = { decode: keyOf(decode) }
  const stills = { stills: changes.stills?.settings }
  const replaced = (change: RowsChange | undefined) => change?.needs === 'nothing' && `${change.by} stands in for it`
  const changed = (planned: Planned, change: RowsChange | undefined): Planned | undefined =>
    change && (planned.skip === undefined || change.needs === 'nothing')
      ? own(planned.stage, change.by, change.settings(video), change.needs === 'rows' ? { rows: keyOf(planned) } : {})
      : undefined
  const vectors = await unless('vectors', noPicture || (!tracks.picture && 'index.tracks.picture is off'), () =>
    filled('vectors', 'embedImage', stills, from),
  )
  const text = await unless(
    'text',
    noPicture || (!tracks.text && 'index.tracks.text is off') || replaced(changes.text),
    () => filled('text', 'readText', stills, from),
  )
  const voices = await unless(
    'voices',
    subtitled
      ? 'subtitles are used'
      : noSound || (!tracks.speech && 'index.tracks.speech is off') || replaced(changes.speech),
    () => filled('voices', 'voice', {}, from),
  )
  const speech =
    subtitled && tracks.speech && !replaced(changes.speech)
      ? own('speech', 'transcribe/subtitles', {}, { subtitles: keyOf(subtitles) })
      : await unless(
          'speech',
          noSound || (!tracks.speech && 'index.tracks.speech is off') || replaced(changes.speech),
          () => filled('speech', 'transcribe', {}, { voices: keyOf(voices), ...from }),
        )
  const changedText = changed(text, changes.text)
  const changedSpeech = changed(speech, changes.speech)
  const sounds = await unless('sounds', noSound || (!tracks.sound && 'index.tracks.sound is off'), () =>
    filled('sounds', 'hear', {}, from),
  )
  const rows = {
    text: keyOf(changedText ?? text),
    speech: keyOf(changedSpeech ?? speech),
    sounds: keyOf(sounds),
  }
  // Subtitles that gave no words may be subtitles that could not be read, which the coverage says.
  const unread: Record<string, string> =
    subtitled || subtitles.skip !== undefined ? {} : { subtitles: keyOf(subtitles) }
  const overview = own('overview', 'overview/extract', {}, { ...from, ...rows, vectors: keyOf(vectors), ...unread })
  const words = own('words', 'search/fts5', {}, { overview: keyOf(overview), ...rows })
  const nearest =
    vectors.skip === undefined
      ? own('nearest', `vectors/${settings.vectors}`, {}, { vectors: keyOf(vectors) })
      : { stage: 'nearest' as const, skip: vectors.skip }
  const meaning = await filled('meaning', 'embedText', {}, { overview: keyOf(overview), ...rows })
  return {
    subtitles,
    decode,
    vectors,
    text,
    ...(changedText && { changedText }),
    voices,
    speech,
    ...(changedSpeech && { changedSpeech }),
    sounds,
    overview,
    words,
    nearest,
    meaning,
  }
}

export async function planSubtitlesOnly(video: Video, settings: IndexSettings): Promise<Planned> {
  return planSubtitles(video, settings, (stage, by, stageSettings, inputs) => ({
    stage,
    by,
    settings: stageSettings,
    inputs,
    key: stageKey({ video: video.id, stage, by, settings: stageSettings, inputs, version: `${versions[stage]} ` }),
  }))
}

type Own = (stage: PlannedName, by: string, settings: unknown, inputs: Record<string, string>) => Planned

async function planSubtitles(video: Video, settings: IndexSettings, own: Own): Promise<Planned> {
  if (settings.subtitles === 'ignore') return { stage: 'subtitles', skip: 'index.subtitles is "ignore"' }
  if (!settings.tracks.speech) return { stage: 'subtitles', skip: 'index.tracks.speech is off' }
  if (video.sidecars.length === 0 && video.subtitles.length === 0)
    return { stage: 'subtitles', skip: 'the video has no subtitles' }
  const sidecars = await Promise.all(video.sidecars.map(sidecarHash))
  return own(
    'subtitles',
    'transcribe/subtitles',
    { streams: video.subtitles.map(stream => stream.index) },
    { sidecars: sidecars.join(' ') },
  )
}

// A file that will not be read counts by what is known of it from outside.
async function sidecarHash(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    return size > maxSubtitleBytes ? `${size} bytes` : contentHash(await readFile(path))
  } catch (error) {
    return `unreadable: ${errorText(error)}`
  }
}

function keyOf(planned: Planned): string {
  return planned.skip === undefined ? planned.key : 'none'
}
