import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { BackendError, errorText } from '../../core/errors.ts'
import { readBounded } from '../../core/machine/read-bounded.ts'
import type { Video } from '../../core/video.ts'
import { decodeText } from '../encodings/decode-text.ts'
import { isOutsideLink } from '../file/sidecars.ts'
import { runProgram } from '../program/run-program.ts'
import { maxSubtitleBytes, parseSubtitles, type SubtitleCue, type SubtitleTrack } from './parse-subtitles.ts'
import { parseTimedText } from './timed-text.ts'

// The cues of a file beside the video. A file that cannot be read is a track with a problem: the others stay.
export async function readSidecar(path: string, video: Video, signal?: AbortSignal): Promise<SubtitleTrack> {
  const name = basename(path)
  const stem = video.name.slice(0, video.name.length - extname(video.name).length)
  const language = /^\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\./.exec(name.slice(stem.length))?.[1]
  const track = { source: 'sidecar' as const, name, language, cues: [] }
  try {
    if (await isOutsideLink(path, video))
      return { ...track, problem: 'it is a link that leads out of the folder of the video; copy it there' }
    const { size } = await stat(path)
    if (size > maxSubtitleBytes)
      return { ...track, problem: `it has ${megabytes(size)} MB, more than ${megabytes(maxSubtitleBytes)} MB` }
    const bytes = await readBounded(path, maxSubtitleBytes)
    if (isPictures(bytes)) return track
    const { text, encoding, guessed } = decodeText(bytes)
    const cues = await readCues(text, extname(name).slice(1).toLowerCase(), video, signal)
    return { ...track, ...(guessed ? { guessed: encoding } : {}), cues }
  } catch (error) {
    if (signal?.aborted) throw error
    if (!(error instanceof BackendError) && !(error instanceof Error && 'code' in error)) throw error
    return { ...track, problem: errorText(error) }
  }
}

async function readCues(text: string, ending: string, video: Video, signal?: AbortSignal): Promise<SubtitleCue[]> {
  if (ending === 'ttml' || ending === 'dfxp') return parseTimedText(text, signal)
  const demuxer = chooseDemuxer(text, ending)
  return parseSubtitles(demuxer ? await asSubRip(text, demuxer, video, signal) : text, signal)
}

// What ffmpeg calls the format; undefined where the file is read here. ".sub" is the ending of several.
function chooseDemuxer(text: string, ending: string): string | undefined {
  const head = text.slice(0, 4096)
  if (ending === 'ass' || ending === 'ssa') return 'ass'
  if (ending === 'smi' || ending === 'sami') return 'sami'
  if (ending !== 'sub') return undefined
  if (/^\s{0,100}\{\d{1,9}\}\{\d{0,9}\}/.test(head)) return 'microdvd'
  if (/^\s{0,100}\[\d{1,9}\]\[\d{0,9}\]/.test(head)) return 'mpl2'
  if (/^\d\d:\d\d:\d\d\.\d\d,\d\d:\d\d:\d\d\.\d\d/m.test(head)) return 'subviewer'
  if (/^\[\d\d:\d\d:\d\d\]/m.test(head)) return 'subviewer1'
  return undefined
}

// ffmpeg gets the text by a pipe and the format by name: it opens no file and guesses nothing.
async function asSubRip(text: string, demuxer: string, video: Video, signal?: AbortSignal): Promise<string> {
  const rate = video.picture?.frameRate
  const { stdout } = await runProgram(
    'ffmpeg',
    [
      ...['-nostdin', '-hide_banner', '-loglevel', 'repeat+level+error'],
      ...['-protocol_whitelist', 'pipe', '-format_whitelist', demuxer, '-f', demuxer],
      ...(demuxer === 'microdvd' && rate ? ['-subfps', String(rate)] : []),
      ...['-i', 'pipe:0', '-c:s', 'subrip', '-f', 'srt', 'pipe:1'],
    ],
    { signal, input: Buffer.from(text), stallSeconds: 60, maxStdoutBytes: 2 * maxSubtitleBytes },
  )
  return stdout.toString('utf8')
}

// VobSub holds pictures of the words, as some streams do: no words to index.
function isPictures(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === 0xba
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024)
}
