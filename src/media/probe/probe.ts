import { type FileHandle, open } from 'node:fs/promises'
import { InputError } from '../../core/errors.ts'
import { formatTime, roundTime } from '../../core/time.ts'
import type { PictureStream, SoundStream, Video } from '../../core/video.ts'
import { inputLimits, stillPicture, tooLarge } from '../ffmpeg/input-options.ts'
import { contentId } from '../file/content-id.ts'
import { type LocalFile, localFile, quoteName } from '../file/local-file.ts'
import { findSidecars } from '../file/sidecars.ts'
import { acceptedLength } from './accepted-length.ts'
import { ffprobe, hasTime, type Probed, type ProbedStream, packetTimes } from './ffprobe.ts'
import {
  choosePicture,
  chooseSound,
  isCoverArt,
  pictureStream,
  pixelShape,
  soundStream,
  subtitleStream,
} from './streams.ts'

// What is in a file, what is wrong with it, and its clock: second 0 is the first picture or sound that is used.
// Still pictures are refused: they have no time to ask about.
export async function probe(path: string, { maxHours = Number.POSITIVE_INFINITY } = {}): Promise<Video> {
  const file = await localFile(path)
  const probed = await ffprobe(file)
  refuse(file, probed)

  const notes: string[] = []
  const pictureStream = await findPicture(file, probed, notes)
  const { chosen, others } = chooseSound(probed.streams)
  const heard = chosen && (await withLength(file, probed, soundStream(chosen), !pictureStream))
  const isLost = await beginningIsLost(file, probed, [pictureStream, heard])
  const picture = isLost && pictureStream ? fromZero(pictureStream) : pictureStream
  const sound = isLost && heard ? fromZero(heard) : heard
  if (!picture && !sound) throw nothingToSee(file, probed)
  if (sound && others.length > 0) notes.push(soundChoice(sound, others.length))

  const start = Math.min(picture?.start ?? Number.POSITIVE_INFINITY, sound?.start ?? Number.POSITIVE_INFINITY)
  const subtitles = probed.streams.filter(stream => stream.codec_type === 'subtitle').map(subtitleStream)
  const end = (stream: PictureStream | SoundStream) => stream.start + (stream.duration ?? 0) - start
  if (!(Math.abs(start) < latestClock))
    throw new InputError(`The clock of ${quoteName(file.name)} starts at ${start} s, more than can be counted.`, {
      hint: 'Set it anew: ffmpeg -i FILE -c copy out.mkv',
    })
  const main = (picture ?? sound) as PictureStream | SoundStream
  const declared = roundTime(end(main))
  const { duration, note } = await acceptedLength(file, main, declared, start, maxHours)
  if (note) notes.push(note)
  if (picture && sound?.duration && end(sound) > duration + 1)
    notes.push(`The picture ends at ${formatTime(duration)}; the sound goes on until ${formatTime(end(sound))}.`)
  if (start > 1) notes.push(`The file's own clock starts at ${roundTime(start)} s; that is second 0 here.`)

  return {
    id: await contentId(file.path, file.bytes),
    path: file.path,
    name: file.name,
    bytes: file.bytes,
    container: probed.format.format_name,
    start,
    duration,
    picture,
    sound,
    otherSounds: others.map(soundStream),
    subtitles,
    sidecars: await findSidecars(file.path, file.name),
    notes,
  }
}

async function findPicture(file: LocalFile, probed: Probed, notes: string[]): Promise<PictureStream | undefined> {
  const { chosen, others } = choosePicture(probed.streams)
  if (probed.streams.some(isCoverArt)) notes.push('The cover picture is left out.')
  if (!chosen) return undefined
  const picture = await withUntimed(file, probed, await withLength(file, probed, pictureStream(chosen), true))
  if (others > 0)
    notes.push(
      `The file holds ${others + 1} pictures; stream ${picture.index} (${picture.width}x${picture.height}) is used.`,
    )
  if (picture.rotation) notes.push(`The picture is turned by ${picture.rotation} degrees to be upright.`)
  if (pixelShape(chosen) !== 1)
    notes.push(`Its pixels are not square; it is shown as ${picture.width}x${picture.height}.`)
  if (picture.hdr) notes.push('The picture is HDR; it is turned into standard range where ffmpeg can.')
  return picture
}

// Frames before the zero of a Matroska file's clock come without a time; they are one frame apart.
async function withUntimed(file: LocalFile, probed: Probed, picture: PictureStream): Promise<PictureStream> {
  const { frameRate, start, duration = 0 } = picture
  if (!frameRate || !/matroska|webm/.test(probed.format.format_name)) return picture
  if (await hasTime(file, picture.index)) return picture
  const times = await packetTimes(file, picture.index)
  if (!times || !Number.isFinite(times.first) || times.untimed === 0) return picture
  const first = times.first - times.untimed / frameRate
  return { ...picture, start: first, duration: duration + start - first, untimed: times.untimed }
}

// A stream's start and length as its packets have them, where the file does not say or counts from elsewhere.
async function withLength<Stream extends PictureStream | SoundStream>(
  file: LocalFile,
  probed: Probed,
  stream: Stream,
  needed: boolean,
): Promise<Stream> {
  // Matroska counts lengths from its clock's zero, not from the first frame.
  const offset = /matroska|webm/.test(probed.format.format_name) && Math.abs(stream.start) > 0.5
  if (stream.duration !== undefined && !offset) return stream
  const declared = probed.format.duration
  if (!offset && declared !== undefined && declared > 0) {
    const end = (probed.format.start_time ?? 0) + declared
    return { ...stream, duration: Math.max(0, end - stream.start) }
  }
  if (!needed && !offset) return stream
  const times = await packetTimes(file, stream.index)
  if (!times) return stream
  if (Number.isFinite(times.end)) return { ...stream, duration: Math.max(0, times.end - stream.start) }
  // A bare stream without any times: only its rate tells.
  const rate = 'frameRate' in stream ? stream.frameRate : undefined
  return rate ? { ...stream, duration: times.packets / rate } : stream
}

// The first packet of such a file is not the first there was: its clock then counts from its own zero.
async function beginningIsLost(
  file: LocalFile,
  { format }: Probed,
  streams: (PictureStream | SoundStream | undefined)[],
): Promise<boolean> {
  const isLate = streams.every(stream => stream === undefined || stream.start > 1)
  return isLate && /matroska|webm/.test(format.format_name) && lostHead(file.path)
}

function fromZero<Stream extends PictureStream | SoundStream>(stream: Stream): Stream {
  return { ...stream, start: 0, duration: stream.duration === undefined ? undefined : stream.start + stream.duration }
}

const latestClock = 1e11 // seconds: as microseconds still near what a double can hold

function soundChoice(sound: SoundStream, others: number): string {
  const language = sound.language ? ` (${sound.language})` : ''
  return `The file holds ${others + 1} audio tracks; stream ${sound.index}${language} is used.`
}

function refuse(file: LocalFile, { streams }: Probed): void {
  const name = quoteName(file.name)
  if (streams.length > inputLimits.streams)
    throw new InputError(`${name} holds ${streams.length} streams; at most ${inputLimits.streams} are read.`, {
      hint: 'Copy the ones you need: ffmpeg -i FILE -map 0:v:0 -map 0:a:0 -c copy out.mkv',
    })
  for (const stream of streams) {
    const { width = 0, height = 0 } = stream
    if (width * height * Math.max(1, pixelShape(stream)) > inputLimits.pixels)
      throw tooLarge(name, `${width}x${height}`)
    if (/^enc[vat]$/.test(stream.codec_tag_string ?? ''))
      throw new InputError(`${name} is encrypted (copy protection).`, { hint: 'Use a copy that plays anywhere.' })
    if (!isCoverArt(stream) && (averageRate(stream) ?? 0) > inputLimits.frameRate)
      throw new InputError(`${name} claims ${stream.avg_frame_rate} frames a second, more than can be read.`)
  }
}

function averageRate(stream: ProbedStream): number | undefined {
  return stream.codec_type === 'video' ? pictureStream({ ...stream, r_frame_rate: undefined }).frameRate : undefined
}

function nothingToSee(file: LocalFile, { streams }: Probed): InputError {
  // A single picture in a container for moving ones, such as a GIF of one frame.
  const still = (stream: ProbedStream) => stream.codec_type === 'video' && !stream.disposition.attached_pic
  if (streams.length > 0 && streams.every(stream => still(stream) && isCoverArt(stream)))
    return stillPicture(quoteName(file.name))
  const kinds = [...new Set(streams.map(stream => stream.codec_type ?? 'unknown'))].join(', ')
  return new InputError(`${quoteName(file.name)} holds neither picture nor sound${kinds ? ` (only: ${kinds})` : ''}.`, {
    hint: 'Name the video or audio file itself; subtitles are read beside it.',
  })
}

const segment = 0x18538067
const cluster = 0x1f43b675
// SeekHead, Info, Tracks, Cues, Attachments, Chapters, Tags, Void, checksum: what may stand before the first cluster.
const heads = [0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367, 0xec, 0xbf]
const inCluster = [0xe7, 0xbf, 0xa7, 0xab, 0xec]
const maxElements = 1000

// Whether the pictures and sounds that a Matroska file began with are damaged, so that its first packet is not the first there was.
async function lostHead(path: string): Promise<boolean> {
  await using file = await open(path)
  let at = 0
  for (let count = 0; count < maxElements; count++) {
    const child = await element(file, at)
    if (!child) return count > 1
    if (child.id === cluster) return !inCluster.includes((await element(file, child.content))?.id ?? 0)
    if (child.id === segment) at = child.content
    else if (count === 0 || heads.includes(child.id)) at = child.content + child.size
    else return true
  }
  return false
}

async function element(
  file: FileHandle,
  at: number,
): Promise<{ id: number; size: number; content: number } | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, at)
  const idLength = Math.clz32(buffer[0]!) - 23
  const sizeLength = Math.clz32(buffer[idLength] ?? 0) - 23
  if (bytesRead < 2 || idLength > 4 || sizeLength > 8 || bytesRead < idLength + sizeLength) return undefined
  let size = buffer[idLength]! & (0xff >> sizeLength)
  for (const byte of buffer.subarray(idLength + 1, idLength + sizeLength)) size = size * 256 + byte
  return { id: buffer.readUIntBE(0, idLength), size, content: at + idLength + sizeLength }
}
