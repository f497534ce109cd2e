import { deserialize, serialize } from 'node:v8'
import type { Boundary, ShotFinder } from '../../../src/core/services.ts'
import type { IndexSettings } from '../../../src/core/settings.ts'
import type { StageContext, StageParts } from '../../../src/core/stage.ts'
import { gapsBetween, roundTime } from '../../../src/core/time.ts'
import type { Shot, Still, Video } from '../../../src/core/video.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { decodePass, type PassReport, type PassState } from '../../../src/media/pass/decode-pass.ts'
import type { KeepFile } from '../../../src/media/pass/piece-files.ts'
import { earlySound, earlyStills } from '../early.ts'
import { wasSkimmed } from '../results.ts'
import { chooseSampling, type KeptStill, Sampler, type SavedSampler } from './sampling.ts'

type DecodeContext = Pick<StageContext, 'video' | 'out' | 'progress' | 'signal' | 'settings' | 'pipeline'>

const MISSED_SHOTS = 2 // a minute: shots too short for a candidate still, fetched one by one
const MIN_SHOT = 0.2
const BATCH = 8 // stills that are announced at once to the stages that wait for them

// The one pass over the file: shots, stills and sound together. It can be stopped at any moment and resumes from the last seam.
// Writes shots.json, stills.json, stills.bin, sound.pcm (if there is sound) and report.json.
export async function decodeFile(context: DecodeContext, finder: ShotFinder): Promise<void> {
  const { video, out, signal, settings } = context
  const { before, stillsFile, sound } = await openFiles(context, finder)
  const decoded: DecodedSoFar = before?.known ?? {
    stills: [],
    boundaries: [],
    offset: 0,
    firstFrame: undefined,
    lastTimes,
  }

  let savedAt = 0
  const tell = async () => {
    const { flush } = stillsFile
    if (!out.parts || !flush) return
    const news = decoded.stills.slice(savedAt)
    savedAt = decoded.stills.length
    await flush()
    const shotOf = (time: number) => decoded.boundaries.findLastIndex(boundary => boundary.time <= time) + 1
    const stills = news.map(still => ({ ...still, shot: shotOf(still.time) }))
    context.pipeline.publish(earlyStills, { stills, file: out.parts.path('stills.bin') })
  }
  const keep = async ({ time, width, height, jpeg, reason }: KeptStill) => {
    decoded.stills.push({ time: roundTime(time), reason, width, height, offset: decoded.offset, length: jpeg.length })
    decoded.offset += jpeg.length
    await stillsFile.write(jpeg)
    if (decoded.stills.length >= savedAt + BATCH) await tell()
  }
  const sampler = new Sampler(chooseSampling(video.duration, settings.level), keep)
  if (before) {
    finder.restore?.(before.finder)
    sampler.restore(before.sampler)
  }
  if (decoded.stills.length > 0) await tell()
  const learn = (found: Boundary[]) => {
    for (const boundary of found) {
      decoded.boundaries.push(boundary)
      sampler.boundary(boundary)
    }
  }
  const parts = finder.save && finder.restore ? out.parts : undefined
  const seam = async (pass: PassState) => {
    const saved: SavedDecode = { format: 1, pass, known: decoded, finder: finder.save?.(), sampler: sampler.save() }
    await parts?.save(serialize(saved))
  }

  const report = await decodePass(
    video,
    settings,
    {
      small: frame => {
        decoded.firstFrame ??= frame.time
        decoded.lastTimes = [frame.time, ...decoded.lastTimes.slice(0, -1)]
        sampler.small(frame)
        learn(finder.push(frame))
      },
      still: still => sampler.candidate(still, certainUpTo(decoded.lastTimes)),
      audio: sound ? pcm => sound.write(pcm) : undefined,
      audioEnd: async gaps => {
        await sound?.close()
        if (out.parts) context.pipeline.publish(earlySound, { file: out.parts.path('sound.pcm'), gaps })
      },
      progress: seconds => context.progress(seconds, video.duration),
      keep: out.parts && keepIn(out.parts),
      seam: parts && seam,
    },
    signal,
    undefined,
    before?.pass,
  )
  learn(finder.finish())
  await sampler.finish()

  const { stills } = decoded
  const end = endOfPicture(video, report)
  const shots = shotsBetween(decoded.firstFrame, end, decoded.boundaries).flatMap(shot => withoutHoles(shot, report))
  for (const still of await missedShots(video, shots, stills, settings, signal)) await keep(still)
  await stillsFile.close()
  await sound?.close()
  await out.parts?.give('stills.bin')
  if (sound) await out.parts?.give('sound.pcm')

  stills.sort((a, b) => a.time - b.time)
  await out.json('shots.json', shots)
  await out.json(
    'stills.json',
    stills.map(still => ({ ...still, shot: shotAt(shots, still.time) })),
  )
  await out.json('report.json', report)
  for (const note of report.notes) out.note(note)
}

interface DecodedSoFar {
  stills: Omit<Still, 'shot'>[]
  boundaries: Boundary[]
  offset: number // in stills.bin
  firstFrame: number | undefined
  lastTimes: number[] // of the last frames, the latest first
}

interface SavedDecode {
  format: 1
  pass: PassState
  known: DecodedSoFar
  finder: unknown
  sampler: SavedSampler
}

const lastTimes = [0, 0, 0, 0, 0]

async function openFiles({ video, out }: DecodeContext, finder: ShotFinder) {
  const grow = (name: string, size: number) => out.parts?.append(name, size) ?? out.bytes(name)
  const open = async (before: SavedDecode | undefined) => ({
    before,
    stillsFile: await grow('stills.bin', before?.known.offset ?? 0),
    sound: video.sound ? await grow('sound.pcm', before?.pass.sound ?? 0) : undefined,
  })
  const before = await savedDecode(out.parts, finder)
  // Files that are shorter than recorded are started again.
  return before ? open(before).catch(() => open(undefined)) : open(undefined)
}

function keepIn(parts: StageParts): KeepFile {
  return async (name, bytes) => {
    const file = await parts.append(name, 0)
    await file.write(bytes)
    await file.close()
    return parts.path(name)
  }
}

// The saved state of an earlier run that was stopped; undefined if it cannot be resumed.
async function savedDecode(parts: StageParts | undefined, finder: ShotFinder): Promise<SavedDecode | undefined> {
  const bytes = finder.restore && (await parts?.state())
  if (!bytes) return undefined
  try {
    const saved = deserialize(bytes) as SavedDecode
    return saved.format === 1 ? saved : undefined
  } catch {
    return undefined // written by another version of Node: the work is done again
  }
}

// Boundaries up to here are known: finders look at two seconds after one, and at some frames more where those come slowly.
function certainUpTo(lastTimes: number[]): number {
  return Math.min((lastTimes.at(0) ?? 0) - 2, lastTimes.at(-1) ?? 0)
}

// The picture ends one frame after the last one shown; a report that fell short of the declared end keeps what was seen.
function endOfPicture(video: Video, report: PassReport): number {
  if (!report.picture) return 0
  if (wasSkimmed(report) || report.picture.lasts) return video.duration
  const frame = 1 / (video.picture?.frameRate || 25)
  const last = report.picture.last + frame
  return roundTime(Math.abs(video.duration - last) < 2 * frame ? video.duration : last)
}

function shotsBetween(first: number | undefined, end: number, boundaries: Boundary[]): Shot[] {
  if (first === undefined) return []
  const times = [...boundaries]
    .sort((a, b) => a.time - b.time)
    .filter(boundary => boundary.time > first && boundary.time < end)
  const starts = [{ time: first, kind: 'start' as const }, ...times]
  return starts.map((start, at) => ({
    start: roundTime(start.time),
    end: roundTime(starts[at + 1]?.time ?? Math.max(end, start.time)),
    opens: start.kind,
  }))
}

// A shot does not reach over what could not be decoded: whether it went on there is not known.
function withoutHoles(shot: Shot, { picture }: PassReport): Shot[] {
  if (!picture?.gaps) return [shot]
  return gapsBetween(picture.gaps, shot).map(span => ({
    ...span,
    opens: span.start === shot.start ? shot.opens : 'interval',
  }))
}

function shotAt(shots: Shot[], time: number): number {
  const index = shots.findIndex(shot => time >= shot.start && time < shot.end)
  return index >= 0 ? index : Math.max(0, shots.length - 1)
}

async function missedShots(
  video: Video,
  shots: Shot[],
  stills: { time: number }[],
  settings: Pick<IndexSettings, 'stillWidth'>,
  signal: AbortSignal,
): Promise<KeptStill[]> {
  const missed = shots
    .filter(shot => shot.end - shot.start >= MIN_SHOT)
    .filter(shot => !stills.some(still => still.time >= shot.start && still.time < shot.end))
    .slice(0, Math.ceil((MISSED_SHOTS * video.duration) / 60))
  if (missed.length === 0) return []
  const frames = await decodeFrames(
    video,
    missed.map(shot => (shot.start + shot.end) / 2),
    { width: settings.stillWidth },
    signal,
  )
  return Promise.all(
    frames.map(async frame => ({
      time: frame.time,
      width: frame.width,
      height: frame.height,
      reason: 'shot' as const,
      jpeg: await encodeJpeg(frame),
    })),
  )
}
