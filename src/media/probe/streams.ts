import type { PictureStream, SoundStream, SubtitleStream } from '../../core/video.ts'
import type { ProbedStream } from './ffprobe.ts'

// Encoders put a few milliseconds of silence before the first sample, at negative times; players drop them.
const primingSeconds = 0.15

// The stream to watch: never cover art; of several the one marked as default, then the largest.
export function choosePicture(streams: ProbedStream[]): { chosen?: ProbedStream; others: number } {
  const moving = streams.filter(stream => stream.codec_type === 'video' && !isCoverArt(stream))
  const pixels = (stream: ProbedStream) => (stream.width ?? 0) * (stream.height ?? 0)
  const [chosen] = moving
    .filter(stream => pixels(stream) > 0)
    .sort((a, b) => isDefault(b) - isDefault(a) || pixels(b) - pixels(a) || a.index - b.index)
  return { chosen, others: moving.length - (chosen ? 1 : 0) }
}

// The track to listen to: the one marked as default, then one that is not of telephone quality, else the first.
export function chooseSound(streams: ProbedStream[]): { chosen?: ProbedStream; others: ProbedStream[] } {
  const sounds = streams.filter(stream => stream.codec_type === 'audio' && (stream.channels ?? 0) > 0)
  const [chosen, ...others] = sounds.toSorted(
    (a, b) => isDefault(b) - isDefault(a) || wideband(b) - wideband(a) || a.index - b.index,
  )
  return { chosen, others }
}

export function isCoverArt(stream: ProbedStream): boolean {
  if (stream.disposition.attached_pic || stream.disposition.timed_thumbnails) return true
  const still = /^(mjpeg|png|bmp|gif|webp|tiff|jpegxl)$/.test(stream.codec_name ?? '')
  return still && ratio(stream.avg_frame_rate) === undefined && (stream.nb_frames ?? 0) <= 1
}

// As shown: upright and with square pixels, which is what ffmpeg's autorotation and our scaling give.
export function pictureStream(stream: ProbedStream): PictureStream {
  const rotation = readRotation(stream)
  const shape = pixelShape(stream)
  const wide = Math.max(1, Math.round((stream.width ?? 0) * shape))
  const high = stream.height ?? 0
  const turned = rotation % 180 === 90
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    profile: stream.profile,
    level: stream.level,
    pixels: stream.pix_fmt,
    width: turned ? high : wide,
    height: turned ? wide : high,
    frameRate: ratio(stream.avg_frame_rate) ?? ratio(stream.r_frame_rate),
    start: stream.start_time ?? 0,
    duration: readDuration(stream),
    rotation,
    hdr: isHdr(stream),
  }
}

export function soundStream(stream: ProbedStream): SoundStream {
  const start = stream.start_time ?? 0
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    channels: stream.channels ?? 0,
    sampleRate: stream.sample_rate ?? 0,
    language: readLanguage(stream),
    start: start < 0 && start > -primingSeconds ? 0 : start,
    duration: readDuration(stream),
  }
}

export function subtitleStream(stream: ProbedStream): SubtitleStream {
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    language: readLanguage(stream),
    title: stream.tags.title,
  }
}

// Degrees clockwise that make the picture upright: 0, 90, 180 or 270. Other angles are left as they are.
function readRotation(stream: ProbedStream): number {
  const counterclockwise = stream.side_data_list.find(data => data.rotation !== undefined)?.rotation ?? 0
  const clockwise = ((-Math.round(counterclockwise) % 360) + 360) % 360
  return clockwise % 90 === 0 ? clockwise : 0
}

// Width of a pixel against its height; nonsense counts as square.
export function pixelShape(stream: ProbedStream): number {
  const shape = ratio(stream.sample_aspect_ratio, ':') ?? 1
  return shape > 1 / 8 && shape < 8 ? shape : 1
}

function isHdr(stream: ProbedStream): boolean {
  return stream.color_transfer === 'smpte2084' || stream.color_transfer === 'arib-std-b67'
}

// Matroska keeps a stream's length in a tag, as 00:01:02.500000000.
function readDuration(stream: ProbedStream): number | undefined {
  if (stream.duration !== undefined && stream.duration > 0) return stream.duration
  const tag = Object.entries(stream.tags).find(([name]) => /^DURATION(-\w+)?$/i.test(name))?.[1]
  const match = tag && /^(\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(tag)
  if (!match) return undefined
  const seconds = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
  return seconds > 0 ? seconds : undefined
}

function readLanguage(stream: ProbedStream): string | undefined {
  const language = stream.tags.language ?? stream.tags.LANGUAGE
  return language && language !== 'und' ? language : undefined
}

function wideband(stream: ProbedStream): number {
  return Math.min(stream.sample_rate ?? 0, 16_000)
}

function isDefault(stream: ProbedStream): number {
  return stream.disposition.default ? 1 : 0
}

// "30000/1001" as a number; undefined for "0/0" and the like.
function ratio(text: string | undefined, sign = '/'): number | undefined {
  const [over = 0, under = 0] = (text ?? '').split(sign).map(Number)
  return over > 0 && under > 0 ? over / under : undefined
}
