import type { IndexSettings } from '../../core/settings.ts'
import type { Span } from '../../core/time.ts'
import type { PictureStream, SoundStream, Video } from '../../core/video.ts'
import { type MediaClock, timeUntimed } from '../ffmpeg/clock.ts'
import { ffmpegArguments } from '../ffmpeg/ffmpeg-arguments.ts'
import { scaleTo, timesTo, toneMap } from '../ffmpeg/filters.ts'
import { closeGaps, silenceAllowed } from './sound-gaps.ts'

// Options of ffmpeg that decode on the graphics card; frames stay there until they are small.
export const onCard = ['-hwaccel', 'cuda', '-hwaccel_output_format', 'cuda']

export const smallSize = { width: 64, height: 36 }
export const smallBytes = (smallSize.width * smallSize.height * 3) / 2
const passPipes = { small: 3, smallTimes: 4, stills: 5, stillTimes: 6, sound: 7 } as const

export interface PassWork {
  video: Video
  url?: string // what to open instead of the video's file: a piece of it
  picture?: PictureStream
  sound?: SoundStream
  stills: { perSecond: number; width: number; height: number }
  span?: Span
  clock: MediaClock
  threads?: number // of the decoder; without it ffmpeg takes one for each core
  level: IndexSettings['level']
  decoder?: 'software' | 'cuda'
}

// The one command of the pass. Pipes that nothing is written to stay empty.
export async function passArguments(work: PassWork): Promise<string[]> {
  const { video, picture, sound, clock, threads, level } = work
  const card = picture && work.decoder === 'cuda'
  return ffmpegArguments({
    input: work.url ? { url: work.url } : video,
    inputOptions: [
      ...(work.url ? pieceInput : []),
      ...(threads ? ['-threads', String(threads)] : []),
      ...(card ? onCard : []),
      ...effort[level],
      ...clock.inputOptions,
    ],
    filterThreads: picture?.hdr ? undefined : 1,
    graph: [
      ...(picture ? await pictureGraph(work, picture) : []),
      ...(sound ? soundGraph(sound, clock, work.span, silenceAllowed(video.bytes)) : []),
    ],
    outputs: [...(picture ? pictureOutputs : []), ...(sound ? soundOutputs : [])],
  })
}

// A piece is read through two of ffmpeg's own protocols; what is in it can still name no other file.
const pieceInput = ['-protocol_whitelist', 'file,concat,subfile', '-f', 'mov']

// Both are for the picture; a decoder of sound does not know them.
const effort: Record<IndexSettings['level'], string[]> = {
  thorough: [],
  balanced: ['-skip_loop_filter', 'noref'],
  quick: ['-skip_frame', 'nokey'],
}

// Written when there is enough, not frame by frame: each write wakes us.
const gathered = ['-flush_packets', '0']

const pictureOutputs = [
  {
    options: ['-map', '[small]', '-fps_mode', 'passthrough', '-f', 'rawvideo', ...gathered],
    pipe: passPipes.small,
  },
  {
    options: [
      ...['-map', '[stills]', '-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '3'],
      ...['-huffman', 'default', '-threads', '1', '-enc_time_base', '1:1000000', '-f', 'mpjpeg'],
    ],
    pipe: passPipes.stills,
  },
]
const soundOutputs = [
  { options: ['-map', '[sound]', '-c:a', 'pcm_s16le', '-f', 's16le', ...gathered], pipe: passPipes.sound },
]

async function pictureGraph(work: PassWork, picture: PictureStream): Promise<string[]> {
  const { stills, span, clock } = work
  const card = work.decoder === 'cuda'
  // One still per step of the clock: the first frame that lies in a new step. Steps count from our second 0.
  const step = (time: string) => `floor((${time}-(${clock.zero}))*${stills.perSecond}+0.000001)`
  const pick = `select='isnan(prev_selected_t)+not(eq(${step('t')},${step('prev_selected_t')}))'`
  return [
    `[0:${picture.index}]${timeUntimed(picture, clock)}settb=1/1000000${trim('trim', span, clock)},split=2[a][b]`,
    `[a]${card ? `${fromCard(halfway)},` : ''}scale=${smallSize.width}:${smallSize.height}:flags=area,format=yuv420p,${timesTo(passPipes.smallTimes, { gathered: comeQuickly(work) })}[small]`,
    `[b]${pick},${card ? `${fromCard(stills)},` : ''}${await jpegColours(picture, stills)},${timesTo(passPipes.stillTimes)},${rising}[stills]`,
  ]
}

// The encoder of stills stops at a time that is not after the last one; where a clock runs back, it is given such times.
const rising = "setpts='if(isnan(PREV_OUTPTS),PTS,max(PTS,PREV_OUTPTS+1))'"

// Times of half a minute at most may come at once.
function comeQuickly({ level, picture }: PassWork): boolean {
  return level !== 'quick' && (picture?.frameRate ?? 0) >= 20
}

// The card looks at few of the pixels when it makes a picture much smaller, so the last step, which takes the mean, is not its own.
const halfway = { width: smallSize.width * 4, height: smallSize.height * 4 }

// Made small on the card, then brought into memory.
function fromCard({ width, height }: { width: number; height: number }): string {
  return `scale_cuda=${width}:${height}:interp_algo=bicubic:format=yuv420p,hwdownload,format=yuv420p`
}

// JPEG knows one set of colours only: BT.601, full range. Where nothing comes between, size and colours are changed in one go.
async function jpegColours(picture: PictureStream, size: { width: number; height: number }): Promise<string> {
  const colours = 'out_color_matrix=bt601:out_range=full'
  const tones = await toneMap(picture)
  const scaled = tones ? `${scaleTo(size)},${tones},scale=${colours}` : `${scaleTo(size)}:${colours}`
  return `${scaled},setsar=1,format=yuvj420p`
}

// The n-th sample is n/16000 seconds after our second 0: ffmpeg fills small gaps with silence, and without `allowed` large ones too.
// With it they are closed and reported on stderr, as `SoundGaps` reads it: ffmpeg would hold all of a gap in memory.
// The clock is moved first, because aresample counts `first_pts` in samples of the rate that comes in.
export function soundGraph(sound: SoundStream, clock: MediaClock, span?: Span, allowed?: number): string[] {
  const first = (clock.zero + (span?.start ?? 0)).toFixed(6)
  const moved = allowed === undefined ? `asetpts=PTS-(${first})/TB` : closeGaps(first, allowed)
  const resample = `${moved},aresample=16000:async=1:first_pts=0:min_hard_comp=0.02`
  return [
    `[0:${sound.index}]anull${trim('atrim', span, clock)},${resample},aformat=sample_fmts=s16:channel_layouts=mono[sound]`,
  ]
}

function trim(filter: 'trim' | 'atrim', span: Span | undefined, clock: MediaClock): string {
  if (!span) return ''
  const time = (seconds: number) => (clock.zero + seconds).toFixed(6)
  const end = Number.isFinite(span.end) ? `:end=${time(span.end)}` : ''
  return `,${filter}=start=${time(span.start)}${end}`
}
