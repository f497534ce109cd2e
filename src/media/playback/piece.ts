import { BackendError } from '../../core/errors.ts'
import { formatSpan, type Span } from '../../core/time.ts'
import type { PictureStream, Video } from '../../core/video.ts'
import { type MediaClock, openingClock, timeUntimed } from '../ffmpeg/clock.ts'
import { ffmpegArguments } from '../ffmpeg/ffmpeg-arguments.ts'
import { quoteName } from '../file/local-file.ts'
import { filledSpans } from '../mp4/fragments.ts'
import { explainExit, killed, runProgram } from '../program/run-program.ts'
import { colourTags, playbackSize, shownPicture, shownSound, soundRate } from './browser-form.ts'

const pieceSeconds = 6
const shortest = 0.5 // a rest that is shorter belongs to the piece before

// The pieces of a video, one after the other, on our clock.
export function pieceSpans(duration: number): Span[] {
  const count = Math.max(1, Math.ceil((duration - shortest) / pieceSeconds))
  return Array.from({ length: count }, (_, n) => ({
    start: n * pieceSeconds,
    end: n === count - 1 ? duration : (n + 1) * pieceSeconds,
  }))
}

interface PieceWork {
  video: Video
  span: Span
  height: number // of the picture, at most
  signal: AbortSignal
}

// How the picture of a piece is made: of its own frames; with the frame that is on screen at its beginning or its end once more,
// where frames stand for long; without any, where none can be decoded.
type Way = { start: boolean; end: boolean } | 'blank'

// One piece of a video, as a whole MP4 file whose times are those of the video. It is the same whenever it is made, and what lies
// before and after it plays no part, so that pieces fit together however they are asked for.
export async function makePiece(work: PieceWork): Promise<Buffer> {
  const { video, span } = work
  let way: Way = { start: beginsLate(work), end: false }
  let silent = false // where no sound came
  let lastMessage = ''
  for (;;) {
    const { bytes, why } = await run(work, way, silent)
    lastMessage ||= why
    const { picture, sound } = filledSpans(bytes)
    const better: Way | undefined = video.picture && betterWay(way, picture, span)
    const isMute: boolean =
      video.sound !== undefined && !silent && !(sound && Math.abs(sound.start - span.start) < 0.001)
    if (!better && !isMute && (picture ?? sound)) return bytes
    if (!better && !isMute) break
    way = better ?? way
    silent ||= isMute
  }
  throw new BackendError(
    `${quoteName(video.name)} ${formatSpan(span)} cannot be shown: ${lastMessage || 'nothing came of it'}.`,
  )
}

const bridged = 0.1 // seconds without a frame that every player passes over

function beginsLate({ video: { picture, start }, span }: PieceWork): boolean {
  return picture !== undefined && picture.start - start > span.start + bridged
}

// Nothing where the picture fills the piece, or where nothing more can be done.
function betterWay(way: Way, picture: Span | undefined, span: Span): Way | undefined {
  if (way === 'blank') return undefined
  const missing = !picture || {
    start: picture.start - span.start > bridged,
    end: Math.abs(span.end - picture.end) > bridged,
  }
  if (missing === true) return way.start && way.end ? 'blank' : { start: true, end: true }
  const wantedWay = { start: way.start || missing.start, end: way.end || missing.end }
  return wantedWay.start === way.start && wantedWay.end === way.end ? undefined : wantedWay
}

const watchdog = 20 // seconds
const maxBytes = 128 * 1024 * 1024

async function run(work: PieceWork, way: Way, silent: boolean): Promise<{ bytes: Buffer; why: string }> {
  const { stdout, code, stderr } = await runProgram('ffmpeg', await pieceArguments(work, way, silent), {
    signal: work.signal,
    timeoutSeconds: watchdog,
    maxStdoutBytes: maxBytes,
    failure: 'return',
  })
  if (code === killed) throw new BackendError(`ffmpeg ended: ${explainExit(code, stderr)}.`)
  return { bytes: stdout, why: code === 0 ? '' : explainExit(code, stderr) }
}

// Ticks of a second: the usual frame rates are whole numbers of them.
const ticks = 120_000

// No frame waits for a later one and no sample is added at the beginning: with either the times would be off. Without the flags
// of the fragments every piece would begin at 0, and readers would stop at the end of the first.
const outputOptions = [
  ...['-fps_mode', 'passthrough', '-enc_time_base:v', `1:${ticks}`],
  ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '24', '-bf', '0', ...colourTags],
  ...['-c:a', 'flac', '-strict', '-2', '-avoid_negative_ts', 'disabled'],
  ...['-movflags', 'empty_moov+default_base_moof+frag_keyframe+frag_discont+skip_trailer', '-f', 'mp4'],
]

async function pieceArguments(work: PieceWork, way: Way, silent: boolean): Promise<string[]> {
  const { video, span } = work
  const { picture, sound } = video
  // Streams without an index are entered somewhere near; a run-up makes sure that a keyframe lies before the piece.
  const runUp = /mpegts|mpeg/.test(video.container) ? 5 : 0
  const read = { ...video, picture: way === 'blank' ? undefined : picture }
  const clock = openingClock(read, { start: Math.max(0, span.start - runUp), end: span.end })
  return ffmpegArguments({
    input: video,
    inputOptions: clock.inputOptions,
    graph: [
      ...(picture ? await pictureGraph(work, picture, clock, way) : []),
      ...(sound ? soundGraph(work, clock, silent) : []),
    ],
    outputs: [
      {
        options: [
          ...(picture ? ['-map', '[picture]'] : []),
          ...(sound ? ['-map', '[sound]'] : []),
          ...levelFor(work),
          ...outputOptions,
        ],
        pipe: 1,
      },
    ],
  })
}

// Said by us, not found by the encoder, so that the heads of all pieces are the same.
function levelFor({ video: { picture }, height }: PieceWork): string[] {
  if (!picture) return []
  const size = playbackSize(picture, height)
  return ['-level:v', size.width * size.height <= 8704 * 256 ? '4.2' : '5.2']
}

async function pictureGraph(
  { span, height }: PieceWork,
  picture: PictureStream,
  clock: MediaClock,
  way: Way,
): Promise<string[]> {
  const { width, height: lines } = playbackSize(picture, height)
  const input = `[0:${picture.index}]${timeUntimed(picture, clock)}`
  const cut = `trim=${between(span, clock)}`
  const ours = `setpts=PTS-(${clock.zero.toFixed(6)})/TB,settb=1/${ticks}[picture]`
  const pictureFilter = await shownPicture(picture, height)
  const first = clock.zero + span.start
  const [opens, closes] = way === 'blank' ? [true, true] : [way.start, way.end]
  if (!opens && !closes) return [`${input}settb=1/1000000,${cut},${pictureFilter},${ours}`]
  const colour = (size: string) => `color=black:s=${size}:r=1:d=3,format=yuv420p,settb=1/1000000`
  const beginning = (first - (opens ? 0 : outside)).toFixed(6)
  const end = (clock.zero + span.end - 3 * lastFrameSeconds + (closes ? 0 : outside)).toFixed(6)
  const beats = `setpts='if(eq(N,0),${beginning},${end}+${lastFrameSeconds}*N)/TB'`
  if (way === 'blank') return [`${colour(`${width}x${lines}`)},${beats},${cut},${ours}`]
  // A second, narrow picture beside the first comes up at the beginning and shortly before the end: then the frame on screen is
  // given out once more. Where the picture begins later, its first frame is shown before.
  return [
    `${input}settb=1/1000000,split=2[all][one]`,
    `[one]trim=end_frame=1,setpts='min(PTS,${first.toFixed(6)}/TB)-1'[early]`,
    `[early][all]interleave,${pictureFilter}[frames]`,
    `${colour(`2x${lines}`)},${beats}[beats]`,
    `[frames][beats]hstack,crop=${width}:${lines}:0:0,${cut},${ours}`,
  ]
}

const outside = 1000 // seconds, far from the piece
const lastFrameSeconds = 0.04 // seconds; a frame which none follows gets the length of the one before, so that two are given out at the end

function soundGraph({ video, span }: PieceWork, clock: MediaClock, silent: boolean): string[] {
  const samples = Math.round((span.end - span.start) * soundRate)
  const whole = `apad,atrim=end_sample=${samples},asetpts=PTS+(${span.start})/TB[sound]`
  const heard = silent ? undefined : heardIn(video, span)
  if (!heard || !video.sound) return [`anullsrc=r=${soundRate}:cl=stereo,aformat=sample_fmts=s16,${whole}`]
  const first = (clock.zero + span.start).toFixed(6)
  return [
    `[0:${video.sound.index}]anull,atrim=${between(heard, clock)},asetpts=PTS-(${first})/TB,${shownSound},${whole}`,
  ]
}

const lastPackets = 0.3 // seconds
const farther = 30

// What of a span has sound. ffmpeg reads on until it has seen the end of what it was asked for: where the sound ends long before the
// picture that would be the end of the file, so that less is asked for there.
function heardIn({ sound, start, duration }: Video, span: Span): Span | undefined {
  if (!sound) return undefined
  const begins = sound.start - start
  const ends = sound.duration === undefined ? Number.POSITIVE_INFINITY : begins + sound.duration
  const isEarly = ends < duration - farther
  const end = Math.min(span.end, isEarly ? ends - lastPackets : ends)
  return begins < span.end && end > span.start ? { start: span.start, end } : undefined
}

function between({ start, end }: Span, { zero }: MediaClock): string {
  return `start=${(zero + start).toFixed(6)}:end=${(zero + end).toFixed(6)}`
}
