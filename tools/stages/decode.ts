import type { Boundary, ShotFinder } from '../../src/core/services.ts'
import { roundTime } from '../../src/core/time.ts'
import type { Shot, Still, Video } from '../../src/core/video.ts'
import { decodePass, type PassReport } from '../../src/media/decode-pass.ts'
import { framesAt } from '../../src/media/frames.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { defaultSampling, type Kept, Sampler } from './sampling.ts'
import type { StageContext } from './stage.ts'

export interface DecodeSettings {
  stillsPerSecond: number
  stillWidth: number
  segments?: number | 'auto' // pieces of the file that are decoded side by side; the result is the same
}

const MISSED_SHOTS = 2 // a minute: shots too short for a candidate still, fetched one by one
const SHORTEST_SHOT = 0.2

// The one pass over the file: shots, stills and sound together.
// Writes shots.json, stills.json, stills.bin, sound.pcm (where there is sound) and report.json.
export async function decodeStage(context: StageContext, finder: ShotFinder, settings: DecodeSettings): Promise<void> {
  const { video, out, signal } = context
  const stillsFile = await out.bytes('stills.bin')
  const sound = video.sound ? await out.bytes('sound.pcm') : undefined
  const stills: Omit<Still, 'shot'>[] = []
  const boundaries: Boundary[] = []
  let offset = 0
  let firstFrame: number | undefined
  const lastTimes = [0, 0, 0, 0, 0] // of the last frames, the latest first

  const keep = async ({ time, width, height, jpeg, reason }: Kept) => {
    stills.push({ time: roundTime(time), reason, width, height, offset, length: jpeg.length })
    offset += jpeg.length
    await stillsFile.write(jpeg)
  }
  const sampler = new Sampler(defaultSampling, keep)
  const learn = (found: Boundary[]) => {
    for (const boundary of found) {
      boundaries.push(boundary)
      sampler.boundary(boundary)
    }
  }

  const report = await decodePass(
    video,
    { ...settings, segments: settings.segments ?? 'auto' },
    {
      small: frame => {
        firstFrame ??= frame.time
        lastTimes.pop()
        lastTimes.unshift(frame.time)
        sampler.small(frame)
        learn(finder.push(frame))
      },
      still: still => sampler.candidate(still, certainUpTo(lastTimes)),
      audio: sound ? pcm => sound.write(pcm) : undefined,
      progress: seconds => context.progress(seconds, video.duration),
    },
    signal,
  )
  learn(finder.finish())
  await sampler.finish()

  const end = endOfPicture(video, report)
  const shots = shotsBetween(firstFrame, end, boundaries)
  for (const still of await missedShots(video, shots, stills, settings, signal)) await keep(still)
  await stillsFile.close()
  await sound?.close()

  stills.sort((a, b) => a.time - b.time)
  await out.json('shots.json', shots)
  await out.json(
    'stills.json',
    stills.map(still => ({ ...still, shot: shotAt(shots, still.time) })),
  )
  await out.json('report.json', report)
  for (const note of report.notes) out.note(note)
}

// Boundaries up to here are known: finders look at two seconds after one, and at some frames more where those come slowly.
function certainUpTo(lastTimes: number[]): number {
  return Math.min(lastTimes[0] - 2, lastTimes[lastTimes.length - 1])
}

// The picture ends one frame after the last one shown; a report that fell short of the declared end keeps what was seen.
function endOfPicture(video: Video, report: PassReport): number {
  if (!report.picture) return 0
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

function shotAt(shots: Shot[], time: number): number {
  const found = shots.findIndex(shot => time >= shot.start && time < shot.end)
  return found >= 0 ? found : Math.max(0, shots.length - 1)
}

async function missedShots(
  video: Video,
  shots: Shot[],
  stills: { time: number }[],
  settings: DecodeSettings,
  signal: AbortSignal,
): Promise<Kept[]> {
  const missed = shots
    .filter(shot => shot.end - shot.start >= SHORTEST_SHOT)
    .filter(shot => !stills.some(still => still.time >= shot.start && still.time < shot.end))
    .slice(0, Math.ceil((MISSED_SHOTS * video.duration) / 60))
  if (missed.length === 0) return []
  const frames = await framesAt(
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
