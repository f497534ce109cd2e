import { open, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { fromFloat16 } from '../../src/core/basics/numbers.ts'
import { byTime, Evidence } from '../../src/core/evidence.ts'
import { People } from '../../src/core/people.ts'
import type { FinishedStages, Stage, StageMeta, StageReader, StageWriter } from '../../src/core/stage.ts'
import { Span } from '../../src/core/time.ts'
import { Coverage, type Frame, Overview, Shot, Still } from '../../src/core/video.ts'
import { decodeImage } from '../../src/media/image.ts'
import type { PassReport } from '../../src/media/pass/decode-pass.ts'
import type { SubtitleTrack } from '../../src/media/subtitles/parse-subtitles.ts'

// What the stages wrote, read back.

export function need<T>(result: T | undefined): T {
  if (!result) throw new Error('A stage was read before it was made.')
  return result
}

export async function readStageRows(result: StageReader): Promise<Evidence[]> {
  return result.has('evidence.jsonl') ? result.lines('evidence.jsonl', Evidence) : []
}

// Rows of these stages in time order, as the last stage that wrote them has them: all of another stage, or single ones by their ids.
export async function rowsOfStages(
  stages: readonly Pick<Stage, 'name' | 'rows' | 'replaces'>[],
  result: FinishedStages['result'],
): Promise<Evidence[]> {
  const stagesByName = new Map(
    stages.flatMap(stage => (stage.rows && result(stage.name) ? [[stage.name, stage] as const] : [])),
  )
  for (const { replaces } of [...stagesByName.values()]) if (replaces) stagesByName.delete(replaces)
  const lists = await Promise.all([...stagesByName.keys()].map(name => readStageRows(need(result(name)))))
  return lists.flatMap((rows, at) => withoutAnew(rows, lists.slice(at + 1))).sort(byTime)
}

function withoutAnew(rows: Evidence[], later: readonly Evidence[][]): Evidence[] {
  const anew = new Set(later.flatMap(list => list.map(({ id }) => id)))
  const keptRows = rows.filter(({ id }) => !anew.has(id))
  return keptRows.length < rows.length ? keptRows : rows
}

export function shotList(decode: StageReader): Promise<Shot[]> {
  return decode.json('shots.json', z.array(Shot))
}

// `keeps` says which of them an ablation leaves.
export async function stillList(decode: StageReader, keeps?: (still: Still) => boolean): Promise<Still[]> {
  const stills = await decode.json('stills.json', z.array(Still))
  return keeps ? stills.filter(keeps) : stills
}

// Who is there; undefined if nothing tells.
export async function readStagePeople(result: StageReader | undefined): Promise<People | undefined> {
  return result?.json('people.json', People)
}

export interface StillFile {
  jpeg(still: Still): Promise<Uint8Array>
  frame(still: Still): Promise<Frame>
  close(): Promise<void>
}

// The packed stills of the decode stage: one file, read by offset.
export async function openStills(path: string): Promise<StillFile> {
  const file = await open(path, 'r')
  const jpeg = async (still: Still) => {
    const bytes = new Uint8Array(still.length)
    await file.read(bytes, 0, still.length, still.offset)
    return bytes
  }
  return {
    jpeg,
    frame: async still => ({ ...(await decodeImage(await jpeg(still))), time: still.time }),
    close: () => file.close(),
  }
}

// Chapters that a language model wrote stand in place of those of lines; where it found nothing to tell of, the others stay.
export async function readOverview(
  result: StageReader,
  written?: StageReader,
): Promise<{ coverage: Coverage; overview: Overview }> {
  const story = await written?.json('story.json', Overview.partial())
  const overview = await result.json('overview.json', Overview)
  return {
    coverage: await result.json('coverage.json', Coverage),
    overview: story?.chapters?.length ? { ...overview, ...story } : overview,
  }
}

// What was really decoded.
export async function readPassReport(context: { results: Pick<FinishedStages, 'result'> }): Promise<PassReport> {
  return (await need(context.results.result('decode')).json('report.json', z.unknown())) as PassReport
}

// Only keyframes were shown, so the last one says nothing about the end.
export function wasSkimmed({ level, errors }: PassReport): boolean {
  return level === 'quick' && errors === 0
}

const VectorsFile = z.object({ dimensions: z.number(), count: z.number(), ids: z.array(z.string()).optional() })

export async function readVectors(
  result: StageReader,
): Promise<{ dimensions: number; vectors: Float32Array[]; ids: string[] }> {
  const { dimensions, count, ids } = await result.json('vectors.json', VectorsFile)
  const bytes = await readFile(result.path('vectors.f16'))
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
type WrittenTrack = z.infer<typeof TrackFile>
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

export function readSubtitleTracks(subtitles: StageReader): Promise<WrittenTrack[]> {
  return subtitles.json('tracks.json', z.array(TrackFile))
}

// The first track with words: files next to the video come before streams in it, as the user put them there.
export async function speechTrack(subtitles: StageReader): Promise<WrittenTrack | undefined> {
  return (await readSubtitleTracks(subtitles)).find(track => track.cues > 0)
}

// The same of a result that lies elsewhere, by the sizes of its files.
export function gaveCues({ files }: Pick<StageMeta, 'files'>): boolean {
  return Object.entries(files).some(([name, { bytes }]) => name.startsWith('cues-') && bytes > 0)
}

export async function readSubtitleCues(
  subtitles: StageReader,
  { cues: _, file, ...head }: WrittenTrack,
): Promise<SubtitleTrack> {
  return { ...head, cues: await subtitles.lines(file, CueLine) }
}
