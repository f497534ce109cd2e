import { BackendError } from '../../core/errors.ts'
import type { SmallFrame } from '../../core/services.ts'
import type { IndexSettings } from '../../core/settings.ts'
import { formatTime, roundTime, type Span, spanLength } from '../../core/time.ts'
import type { Video } from '../../core/video.ts'
import { FrameClock, openingClock } from '../ffmpeg/clock.ts'
import { fittingSize, staysPale } from '../ffmpeg/filters.ts'
import { quoteName } from '../file/local-file.ts'
import { checkProgram } from '../program/check-program.ts'
import { chooseDecoder, type DecoderUsed } from './decoder.ts'
import { GapLog, type SavedGaps } from './gap-log.ts'
import { type PassWork, smallSize } from './pass-command.ts'
import { type RunResult, type RunSinks, runPass } from './pass-run.ts'
import { maxFrame, pictureHoles } from './picture-holes.ts'
import type { KeepFile } from './piece-files.ts'
import { planSegments, runSideBySide } from './side-by-side.ts'
import type { SplitPoints } from './split-points.ts'

export type PassSettings = Pick<IndexSettings, 'stillsPerSecond' | 'stillWidth' | 'level' | 'segments' | 'decoder'>

interface CandidateStill {
  time: number
  width: number
  height: number
  jpeg: Uint8Array
}

// Where the pass puts what it decodes. A promise holds the decoder back until it is settled.
interface PassSinks {
  small?(frame: SmallFrame): void | Promise<void>
  still?(still: CandidateStill): void | Promise<void>
  audio?(pcm: Uint8Array): void | Promise<void> // s16le, 16 kHz, mono; the first sample is second 0 (or the span's start)
  audioEnd?(gaps: readonly Span[]): Promise<void> // all of the sound has been given out, while the picture goes on; where it has none
  progress?(seconds: number): void
  keep?: KeepFile // small files that ffmpeg reads while the pass goes on; pieces of long MP4 files cost less with it
  seam?(state: PassState): Promise<void> // all output before a split point has been given out: the pass can be resumed from here
}

// What a pass has to know to go on after a seam as if nothing had happened. Plain data.
export interface PassState {
  seams: SplitPoints
  next: number // the piece that comes next
  errors: number
  picture: NonNullable<PassReport['picture']>
  distances: SavedGaps
  soundGaps: SoundReport
  times: { small: number; still: number; jumpedAt: number | undefined; step: number | undefined }
  sound: number | undefined // bytes, once all of it was given out
}

// What was really decoded, to be held against the declared length.
export interface PassReport {
  picture?: {
    first: number // presentation times of the first and last frame
    last: number
    frames: number
    gaps?: Span[] // where frames are missing in between; absent: nowhere
    still?: Span[] // where one frame stays on screen for unusually long
    lasts?: true // the last frame is on screen until the declared end
  }
  audio?: { seconds: number; gaps?: Span[] } // how much there is, from second 0 (or the span's start), and where there is none
  errors: number // complaints of the decoders
  notes: string[]
  level?: PassSettings['level']
  decoder?: DecoderUsed // of the picture
  segments?: { count: number; why?: string } // pieces the file was decoded in, and why not in more or not in parallel to the end
}

// One ffmpeg run over the file, or over a span of it: small planes of every frame, candidate stills, and sound.
// A file that ends early or is damaged is decoded as far as it goes, and the report says how far that was.
export async function decodePass(
  video: Video,
  settings: PassSettings,
  sinks: PassSinks,
  signal: AbortSignal,
  span?: Span,
  resume?: PassState,
): Promise<PassReport> {
  const picture = sinks.small || sinks.still ? video.picture : undefined
  const sound = sinks.audio ? video.sound : undefined
  if (!picture && !sound) return { errors: 0, notes: [] }

  // A stream that cannot be decoded at all keeps ffmpeg from starting; then only the other one is taken.
  const tries = picture && sound ? [{ picture, sound }, { picture }, { sound }] : [{ picture, sound }]
  let refused = ''
  for (const [at, streams] of tries.entries()) {
    const reducedVideo = { ...video, ...noStreams, ...streams }
    const { code, said, report } = await passOnce(reducedVideo, settings, sinks, signal, span, resume)
    // Of a part of the file there may be nothing.
    if (!report.picture && !report.audio && (code !== 0 || !span)) {
      refused ||= said || `ffmpeg ended with code ${code} and gave neither a frame nor sound`
      continue
    }
    if (code !== 0 && streams.sound && streams.picture && report.picture && !report.audio && inPieces(report))
      report.notes.push(`The sound could not be decoded: ${said}`)
    else if (code !== 0) report.notes.push(`The decoder stopped early with code ${code}: ${said}`)
    if (at > 0) report.notes.push(`The ${at === 1 ? 'sound' : 'picture'} could not be decoded: ${refused}`)
    return report
  }
  await checkProgram('ffmpeg')
  throw new BackendError(`ffmpeg could not decode ${quoteName(video.name)}: ${refused.replace(/\.?$/, '.')}`, {
    hint: 'Check that it plays elsewhere; turning it into another kind may help: ffmpeg -i FILE out.mp4',
  })
}

function inPieces({ segments }: PassReport): boolean {
  return (segments?.count ?? 1) > 1
}

const noStreams = { picture: undefined, sound: undefined }

async function passOnce(
  video: Video,
  settings: PassSettings,
  sinks: PassSinks,
  signal: AbortSignal,
  span?: Span,
  resume?: PassState,
): Promise<{ code: number; said: string; report: PassReport }> {
  const { picture, sound } = video
  const clock = openingClock(video, span)
  const size = picture ? fittingSize(picture, settings.stillWidth) : { width: 0, height: 0 }
  const stills = { ...size, perSecond: settings.stillsPerSecond }
  const baseWork: PassWork = { video, picture, sound, stills, span, clock, level: settings.level }
  const decoder = await chooseDecoder(baseWork, settings.decoder, signal)
  const passWork: PassWork = { ...baseWork, decoder: decoder.used }

  const report: PassReport = { errors: 0, notes: [], picture: resume && { ...resume.picture } }
  const distances = new GapLog(resume?.distances, resume?.times.small)
  const smallClock = new FrameClock(clock.zero, picture?.frameRate)
  const stillClock = new FrameClock(clock.zero, picture?.frameRate)
  const steps = stillSteps(settings.stillsPerSecond, clock.zero, resume?.times.step)
  const progress = everyHalfSecond(sinks.progress)
  let reportedByPieces = false // pieces report their own progress
  let soundBytes = resume?.sound ?? 0
  if (resume) {
    smallClock.goOnFrom(resume.times.small, resume.times.jumpedAt)
    stillClock.goOnFrom(resume.times.still, undefined)
  }
  const stateAt: AtSeam = (seams, next, errors, soundOver) => ({
    seams,
    next,
    errors: (resume?.errors ?? 0) + errors,
    picture: { ...(report.picture as NonNullable<PassReport['picture']>) },
    distances: distances.save(),
    soundGaps: soundOver ?? resume?.soundGaps ?? noGaps,
    times: { small: smallClock.last, still: stillClock.last, jumpedAt: smallClock.jumpedAt, step: steps.last() },
    sound: soundOver ? soundBytes : undefined,
  })

  const result = await runAll(
    passWork,
    {
      small(raw, block) {
        const time = smallClock.time(raw)
        report.picture ??= { first: roundTime(time), last: time, frames: 0 }
        report.picture.last = time
        report.picture.frames++
        distances.frame(time)
        if (!reportedByPieces) progress(time)
        return sinks.small?.(smallFrame(time, block))
      },
      still(raw, jpeg) {
        if (steps.isNew(raw)) return sinks.still?.({ time: stillClock.time(raw), ...size, jpeg })
      },
      sound(pcm) {
        soundBytes += pcm.length
        if (!picture) progress((span?.start ?? 0) + soundBytes / 32_000)
        return sinks.audio?.(pcm)
      },
      progress(seconds) {
        reportedByPieces = true
        progress(seconds)
      },
    },
    settings.segments,
    signal,
    { resume, keep: sinks.keep, heard: sinks.audioEnd, seam: sinks.seam && ((...at) => sinks.seam?.(stateAt(...at))) },
  )
  const { code, said } = result
  const heard = result.sound ?? resume?.soundGaps ?? noGaps
  report.errors = (resume?.errors ?? 0) + result.errors
  report.segments = result.segments
  report.level = settings.level
  if (picture) report.decoder = decoder
  if (report.picture) report.picture.last = roundTime(report.picture.last)
  if (soundBytes > 0)
    report.audio = { seconds: roundTime(soundBytes / 32_000), ...(heard.gaps.length > 0 && { gaps: heard.gaps }) }
  if (picture && report.picture && !span) await findHoles(video, report, distances, heard, signal)
  report.notes.push(...jumpNotes(report, heard))
  if (smallClock.jumpedAt !== undefined)
    report.notes.push(`The file's clock runs back at ${formatTime(smallClock.jumpedAt)}; times after it are unsure.`)
  if (!span && report.picture && report.picture.last > video.duration + 1)
    report.notes.push(
      `The file declares ${formatTime(video.duration)} but goes on to ${formatTime(report.picture.last)}; it may be joined from several.`,
    )
  if (picture && (await staysPale(picture)))
    report.notes.push('The picture is HDR and this ffmpeg cannot turn it into standard range, so its colours are pale.')
  return { code, said, report }
}

type SoundReport = NonNullable<RunResult['sound']>
const noGaps: SoundReport = { gaps: [] }

async function findHoles(
  video: Video,
  report: PassReport,
  distances: GapLog,
  { gaps: soundGaps }: SoundReport,
  signal: AbortSignal,
): Promise<void> {
  const { picture, audio, errors, level } = report
  if (!picture) return
  const { usual } = distances
  const between = distances.gaps()
  const shownEnd = roundTime(picture.last + usual)
  const tail = level !== 'quick' && video.duration - shownEnd > 1 ? { start: shownEnd, end: video.duration } : undefined
  const holeQuery = { gaps: between, usual, tail, soundGaps, soundEnd: audio?.seconds ?? 0, errors }
  const holes = await pictureHoles(video, { ...holeQuery, keyframesOnly: level === 'quick' }, signal)
  const missing = holes.filter(hole => hole !== tail)
  if (missing.length > 0) picture.gaps = missing
  const still = level === 'quick' ? [] : between.filter(gap => !missing.includes(gap))
  if (still.length > 0) picture.still = still
  const last = missing.at(-1)
  if (last && tail && last.start < tail.start && last.end === tail.end) {
    if (audio && audio.seconds > last.start)
      audio.gaps = [...(audio.gaps ?? []), { start: last.start, end: audio.seconds }]
    report.notes.push(
      `This kind of file keeps no times: what follows the damage at ${formatTime(last.start)} is found earlier than it is shown.`,
    )
  }
  if (tail && missing.length === holes.length) picture.lasts = true
}

// The clock has jumped where nothing at all is decoded for more than an hour.
function jumpNotes({ picture, audio }: PassReport, { leftOut }: SoundReport): string[] {
  const gaps = [...(picture?.gaps ?? []), ...(audio?.gaps ?? [])].filter(gap => spanLength(gap) > maxFrame)
  return [
    ...gaps.map(({ start, end }) => `The file's clock jumps from ${formatTime(start)} to ${formatTime(end)}.`),
    ...(leftOut
      ? [
          `The clock of the sound jumps from ${formatTime(leftOut.start)} to ${formatTime(leftOut.end)}; what comes after is left out.`,
        ]
      : []),
  ]
}

type AllResult = RunResult & { segments: NonNullable<PassReport['segments']> }

type AtSeam = (seams: SplitPoints, next: number, errors: number, soundOver: SoundReport | undefined) => PassState

interface GoingOn {
  resume?: PassState
  keep?: KeepFile
  heard?: (gaps: readonly Span[]) => Promise<void>
  seam?: (...at: Parameters<AtSeam>) => Promise<void> | undefined
}

// In one go; or, for a long file, the sound by itself and the picture in pieces side by side.
async function runAll(
  work: PassWork,
  sinks: RunSinks,
  wanted: PassSettings['segments'],
  signal: AbortSignal,
  { resume, keep, seam, heard }: GoingOn,
): Promise<AllResult> {
  const plan = await planSegments(work, wanted, signal, resume?.seams)
  if (plan.seams.times.length === 0)
    return { ...(await runPass(work, sinks, signal)), segments: { count: 1, why: plan.seams.why } }
  const halt = new AbortController()
  const all = AbortSignal.any([signal, halt.signal])
  const isHeard = !work.sound || resume?.sound !== undefined
  let soundOver = isHeard ? (resume?.soundGaps ?? noGaps) : undefined
  const atSeam = async (next: number, soFar: RunResult) => seam?.(plan.seams, next, soFar.errors, soundOver)
  const hear = async () => {
    const result = await runPass({ ...work, picture: undefined, threads: 1 }, sinks, all)
    soundOver = result.code === 0 ? result.sound : undefined
    if (soundOver) await heard?.(soundOver.gaps)
    return result
  }
  const silent: RunResult = { code: 0, said: '', errors: 0 }
  if (isHeard && work.sound) await heard?.(resume?.soundGaps.gaps ?? [])
  const beside = isHeard ? undefined : hear()
  if (beside && hasLongTables(work.video)) await beside
  const runs = [
    runSideBySide({ ...work, sound: undefined }, { ...plan, beside, keep, first: resume?.next }, sinks, all, atSeam),
    beside ?? Promise.resolve(silent),
  ] as const
  for (const run of runs) run.catch(error => halt.abort(error))
  const settled = await Promise.allSettled(runs)
  const failed = settled.find(one => one.status === 'rejected')
  if (failed) throw signal.aborted ? failed.reason : (halt.signal.reason ?? failed.reason)
  const [picture, sound] = await Promise.all(runs)
  return {
    code: picture.code || sound.code,
    said: picture.said || sound.said,
    errors: picture.errors + sound.errors,
    sound: sound.sound,
    segments: { count: plan.seams.times.length + 1, why: picture.disagreed },
  }
}

// What ffmpeg keeps of such a file while it reads the sound would, with a decoder of the picture beside it, be too much.
function hasLongTables({ container, duration }: Video): boolean {
  return /mp4|mov/.test(container) && duration > 4 * 3600
}

// The first still of a piece may lie in a step of the clock that has its still already.
function stillSteps(perSecond: number, zero: number, before: number | undefined) {
  let last = before
  return {
    last: () => last,
    isNew(raw: number | undefined): boolean {
      if (raw === undefined) return true
      const step = Math.floor((raw - zero) * perSecond + 0.000001)
      if (step === last) return false
      last = step
      return true
    },
  }
}

const lumaBytes = smallSize.width * smallSize.height

function smallFrame(time: number, block: Uint8Array): SmallFrame {
  return {
    time,
    ...smallSize,
    y: block.subarray(0, lumaBytes),
    u: block.subarray(lumaBytes, (lumaBytes * 5) / 4),
    v: block.subarray((lumaBytes * 5) / 4),
  }
}

function everyHalfSecond(progress: PassSinks['progress']): (seconds: number) => void {
  let last = 0
  return seconds => {
    if (!progress || seconds < last + 0.5) return
    last = seconds
    progress(seconds)
  }
}
