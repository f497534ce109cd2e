import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { byTime, Evidence } from '../../core/evidence.ts'
import { fromFloat16 } from '../../core/float16.ts'
import type { StageResult, StageWriter } from '../../core/stage.ts'
import { Span } from '../../core/time.ts'
import { Coverage, Overview, Shot, Still } from '../../core/video.ts'
import type { SubtitleTrack } from '../../media/subtitles.ts'
import { readStage } from '../../store/stage.ts'
import type { StageChanges } from './stage-changes.ts'
import type { StageResults } from './stage-runner.ts'

// What the stages wrote, read back.

export function need(result: StageResult | undefined): StageResult {
  if (!result) throw new Error('A stage was read before it was made.')
  return result
}

// Rows of the tracks, in time order.
export async function trackRows(stages: StageResults): Promise<Evidence[]> {
  const lists = (['text', 'speech', 'sounds'] as const).flatMap(stage =>
    stages[stage] ? [rowsOf(need(stages[stage]))] : [],
  )
  return (await Promise.all(lists)).flat().sort(byTime)
}

// The same with the chapters' summaries: what full-text search covers.
export async function allRows(stages: StageResults): Promise<Evidence[]> {
  return [...(await trackRows(stages)), ...(await rowsOf(need(stages.overview)))].sort(byTime)
}

export function shotList(decode: StageResult): Promise<Shot[]> {
  return readStage(decode.folder).json('shots.json', z.array(Shot))
}

export async function stillList(decode: StageResult, { stills }: StageChanges = {}): Promise<Still[]> {
  const kept = await readStage(decode.folder).json('stills.json', z.array(Still))
  return stills ? kept.filter(stills.keep) : kept
}

export async function readOverview(overview: StageResult): Promise<{ coverage: Coverage; overview: Overview }> {
  const reader = readStage(overview.folder)
  return {
    coverage: await reader.json('coverage.json', Coverage),
    overview: await reader.json('overview.json', Overview),
  }
}

const VectorsFile = z.object({ dimensions: z.number(), count: z.number(), ids: z.array(z.string()).optional() })

export async function readVectors(
  result: StageResult,
): Promise<{ dimensions: number; vectors: Float32Array[]; ids: string[] }> {
  const reader = readStage(result.folder)
  const { dimensions, count, ids } = await reader.json('vectors.json', VectorsFile)
  const bytes = await readFile(reader.path('vectors.f16'))
  const all = fromFloat16(new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)))
  const vectors = Array.from({ length: count }, (_, i) => all.subarray(i * dimensions, (i + 1) * dimensions))
  return { dimensions, ids: ids ?? [], vectors }
}

const TrackFile = z.object({
  source: z.enum(['sidecar', 'stream']),
  name: z.string(),
  language: z.string().optional(),
  guessed: z.string().optional(),
  problem: z.string().optional(),
  cues: z.number(),
  file: z.string(),
})
export type WrittenTrack = z.infer<typeof TrackFile>
const CueLine = z.object({ span: Span, text: z.string(), speaker: z.string().optional() })

// The tracks with their number of cues; the cues lie line by line in a file each, since a film has thousands and a hoax millions.
export async function writeSubtitles(out: StageWriter, tracks: readonly SubtitleTrack[]): Promise<void> {
  const heads: WrittenTrack[] = []
  for (const [nth, { cues, ...head }] of tracks.entries()) {
    const file = `cues-${nth}.jsonl`
    await out.lines(file, cues)
    heads.push({ ...head, cues: cues.length, file })
  }
  await out.json('tracks.json', heads)
}

export function readSubtitleTracks(subtitles: StageResult): Promise<WrittenTrack[]> {
  return readStage(subtitles.folder).json('tracks.json', z.array(TrackFile))
}

// The first track that holds words: files beside the video come before streams in it, as a person put them there.
export async function speechTrack(subtitles: StageResult): Promise<WrittenTrack | undefined> {
  return (await readSubtitleTracks(subtitles)).find(track => track.cues > 0)
}

export async function readCues(
  subtitles: StageResult,
  { cues: _, file, ...head }: WrittenTrack,
): Promise<SubtitleTrack> {
  return { ...head, cues: await readStage(subtitles.folder).lines(file, CueLine) }
}

export async function countRows(result: StageResult): Promise<number> {
  if (!('evidence.jsonl' in result.meta.files)) return 0
  return (await readFile(readStage(result.folder).path('evidence.jsonl'), 'utf8')).split('\n').filter(Boolean).length
}

export function rowsOf(result: StageResult): Promise<Evidence[]> {
  return readStage(result.folder).lines('evidence.jsonl', Evidence)
}
