import { errorText } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import { listIds } from '../data/data-faults.ts'
import type { VideoFile } from '../data/find-videos.ts'
import type { Sample } from '../data/sample.ts'

interface VideoCheck {
  video: string // as the data name it
  path?: string
  questions: number
  // doubtful: it is asked about, but something does not fit; packed: a dry run left it in its archive
  state: 'ready' | 'missing' | 'broken' | 'doubtful' | 'packed'
  content?: string // id of what the file holds
  duration?: number // as decoded
  stated?: number // as the data say
  subtitles: 'found' | 'missing' | 'none' // none: the data name none
  faults: string[]
}

export interface Preflight {
  videos: VideoCheck[]
  samples: number
  askable: number // questions about videos that can be read
  faults: string[] // of the data themselves
}

interface PreflightWork {
  samples: readonly Sample[]
  faults: readonly string[] // of the data
  find(video: string): VideoFile
  findSubtitles(name: string): VideoFile
  // What the file holds, read to its end; throws with one sentence where it cannot be read. Absent where no video is needed.
  examine?(path: string): Promise<{ duration: number; content: string; faults: string[] }>
  onVideo(done: number, total: number): void
  signal: AbortSignal
}

// Everything that can be known to be wrong before anything is spent.
export async function checkBeforeRun(work: PreflightWork): Promise<Preflight> {
  const byVideo = new Map<string, Sample[]>()
  for (const sample of work.samples) byVideo.set(sample.video, [...(byVideo.get(sample.video) ?? []), sample])
  const videos: VideoCheck[] = []
  for (const [video, samples] of byVideo) {
    work.signal.throwIfAborted()
    videos.push(await checkVideo(video, samples, work))
    work.onVideo(videos.length, byVideo.size)
  }
  const askable = videos.reduce((sum, check) => sum + (isAskable(check) ? check.questions : 0), 0)
  return { videos, samples: work.samples.length, askable, faults: [...work.faults] }
}

export function isAskable({ state }: VideoCheck): boolean {
  return state === 'ready' || state === 'doubtful' || state === 'packed'
}

async function checkVideo(video: string, samples: readonly Sample[], work: PreflightWork): Promise<VideoCheck> {
  const check: VideoCheck = {
    video,
    questions: samples.length,
    state: 'ready',
    stated: samples[0]?.stated,
    subtitles: checkSubtitles(samples, work),
    faults: [],
  }
  if (!work.examine) return check
  const videoFile = work.find(video)
  if ('fault' in videoFile)
    return { ...check, state: videoFile.packed ? 'packed' : 'missing', faults: [videoFile.fault] }
  check.path = videoFile.path
  try {
    const { duration, content, faults } = await work.examine(videoFile.path)
    check.content = content
    check.duration = duration
    check.faults.push(...faults, ...durationFaults(check), ...timeFaults(samples, duration))
    if (check.faults.length > 0) check.state = 'doubtful'
    return check
  } catch (error) {
    if (work.signal.aborted) throw error
    return { ...check, state: 'broken', faults: [errorText(error)] }
  }
}

function checkSubtitles(samples: readonly Sample[], work: PreflightWork): VideoCheck['subtitles'] {
  const name = samples.find(sample => sample.subtitles !== undefined)?.subtitles
  if (name === undefined) return 'none'
  const subtitleFile = work.findSubtitles(name)
  return 'path' in subtitleFile || subtitleFile.packed ? 'found' : 'missing'
}

// Annotations round, and some are made from another copy; a tenth and more is another video or a part of it.
function durationFaults({ duration = 0, stated }: VideoCheck): string[] {
  if (stated === undefined || Math.abs(duration - stated) <= Math.max(5, stated * 0.1)) return []
  return [`It lasts ${formatTime(duration)}; the data say ${formatTime(stated)}.`]
}

function timeFaults(samples: readonly Sample[], duration: number): string[] {
  const wrong = samples.filter(sample =>
    sample.clues?.some(({ start, end }) => !(start >= 0 && end > start && end <= duration + 1)),
  )
  if (wrong.length === 0) return []
  return [`Clue intervals outside the video or turned round: ${listIds(wrong.map(sample => sample.id))}.`]
}
