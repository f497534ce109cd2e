import { BackendError, errorText } from '../../core/errors.ts'
import { roundTime } from '../../core/time.ts'
import type { SubtitleStream, Video } from '../../core/video.ts'
import { decodeText } from '../encodings/decode-text.ts'
import { ffmpegArguments } from '../ffmpeg/ffmpeg-arguments.ts'
import { lastLine, type ProgramResult, runProgram } from '../program/run-program.ts'
import { maxSubtitleBytes, parseSubtitles, type SubtitleCue, type SubtitleTrack } from './parse-subtitles.ts'

// The cues of a stream inside the video, on the clock of the video. A stream that cannot be read is a track with a problem.
export async function readSubtitleStream(
  video: Video,
  stream: SubtitleStream,
  signal?: AbortSignal,
): Promise<SubtitleTrack> {
  const track = { source: 'stream' as const, name: stream.title ?? `stream ${stream.index}`, language: stream.language }
  try {
    const { text, ...found } = await readText(video, stream, signal)
    const cues = (await parseSubtitles(text, signal)).flatMap(cue => shifted(cue, -video.start))
    return { ...track, ...found, cues }
  } catch (error) {
    if (signal?.aborted || !(error instanceof BackendError)) throw error
    return { ...track, problem: errorText(error), cues: [] }
  }
}

// Containers want UTF-8, but hold what was put into them, and ffmpeg leaves out every line that is not UTF-8.
async function readText(
  video: Video,
  stream: SubtitleStream,
  signal: AbortSignal | undefined,
): Promise<{ text: string; guessed?: string; problem?: string }> {
  const { stdout, stderr, code } = await extract(video, stream, [], signal)
  if (/invalid utf-8/i.test(stderr)) {
    const bytes = await readBytes(video, stream, signal)
    const { text, encoding, guessed } = decodeText(bytes)
    return { text, ...(guessed ? { guessed: encoding } : {}) }
  }
  return { text: stdout.toString('utf8'), ...(code === 0 ? {} : { problem: lastLine(stderr) }) }
}

// The stream as SubRip in the encoding that it has.
async function readBytes(video: Video, stream: SubtitleStream, signal: AbortSignal | undefined): Promise<Uint8Array> {
  if (stream.codec === 'mov_text') return readPackets(video, stream, signal)
  // Every byte becomes a letter of Latin-1, and the letters are turned back into bytes.
  const { stdout } = await extract(video, stream, ['-sub_charenc', 'ISO-8859-1'], signal)
  return Buffer.from(stdout.toString('utf8'), 'latin1')
}

async function extract(
  video: Video,
  stream: SubtitleStream,
  options: string[],
  signal: AbortSignal | undefined,
): Promise<ProgramResult> {
  const args = ffmpegArguments({
    input: video,
    inputOptions: ['-copyts', ...options],
    outputs: [{ options: ['-map', `0:${stream.index}`, '-c:s', 'subrip', '-f', 'srt'], pipe: 1 }],
  })
  return runProgram('ffmpeg', args, {
    signal,
    stallSeconds: 180,
    maxStdoutBytes: maxSubtitleBytes,
    failure: 'return', // where it left out more lines than it likes
  })
}

function shifted(cue: SubtitleCue, by: number): SubtitleCue[] {
  const span = { start: roundTime(Math.max(0, cue.span.start + by)), end: roundTime(cue.span.end + by) }
  return span.end > span.start ? [{ ...cue, span }] : []
}

// The lines of a mov_text stream as SubRip in the bytes that they were written in: ffmpeg copies the packets without reading them, and
// lists their times and sizes beside.
async function readPackets(video: Video, stream: SubtitleStream, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const copy = ['-map', `0:${stream.index}`, '-c', 'copy']
  const args = ffmpegArguments({
    input: video,
    inputOptions: ['-copyts'],
    outputs: [
      { options: [...copy, '-f', 'data'], pipe: 1 },
      { options: [...copy, '-f', 'framecrc'], pipe: 3 },
    ],
  })
  const listed: Uint8Array[] = []
  const { stdout } = await runProgram('ffmpeg', args, {
    signal,
    stallSeconds: 180,
    maxStdoutBytes: maxSubtitleBytes,
    pipes: [
      async bytes => {
        for await (const piece of bytes) listed.push(Buffer.from(piece))
      },
    ],
  })
  return subRip(stdout, Buffer.concat(listed).toString('latin1'))
}

function subRip(packets: Buffer, list: string): Buffer {
  const [, up, down] = /^#tb 0: (\d+)\/(\d+)/m.exec(list) ?? []
  if (!up) throw new BackendError('ffmpeg listed no packets of the subtitle stream.')
  const seconds = (ticks: string) => (Number(ticks) * Number(up)) / Number(down)
  const parts: Buffer[] = []
  let at = 0
  for (const [, start = '', lasts = '', size] of list.matchAll(/^0,\s*-?\d+,\s*(-?\d+),\s*(\d+),\s*(\d+),/gm)) {
    const packet = packets.subarray(at, at + Number(size))
    at += Number(size)
    const length = packet.length >= 2 ? packet.readUInt16BE(0) : 0
    if (length === 0) continue // a pause
    const times = `${clock(seconds(start))} --> ${clock(seconds(start) + seconds(lasts))}\n`
    parts.push(Buffer.from(times), packet.subarray(2, 2 + length), Buffer.from('\n\n'))
  }
  return Buffer.concat(parts)
}

function clock(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)},${String(ms % 1000).padStart(3, '0')}`
}
