import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { InputError } from '../core/errors.ts'
import { roundTime } from '../core/time.ts'
import type { SubtitleStream, Video } from '../core/video.ts'
import { ffmpegArguments } from './ffmpeg-command.ts'
import { quoteName } from './local-file.ts'
import { type Cue, decodeText, parseSubtitles } from './parse-subtitles.ts'
import { runProgram } from './program.ts'

export { type Cue, parseSubtitles } from './parse-subtitles.ts'

export interface SubtitleTrack {
  source: 'sidecar' | 'stream'
  name: string
  language?: string
  cues: Cue[]
}

const textCodecs = /^(subrip|srt|webvtt|mov_text|ass|ssa|text|ttml|microdvd|subviewer1?|sami|jacosub|eia_608)$/
const maxBytes = 32 * 1024 * 1024

// Every subtitle track that holds words: files beside the video first, then streams inside it. Picture subtitles hold none and are left out.
export async function readSubtitles(video: Video, signal?: AbortSignal): Promise<SubtitleTrack[]> {
  const tracks: SubtitleTrack[] = []
  for (const path of video.sidecars) tracks.push(await readSidecar(path, video))
  for (const stream of video.subtitles) {
    if (textCodecs.test(stream.codec)) tracks.push(await readStream(video, stream, signal))
  }
  return tracks
}

async function readSidecar(path: string, video: Video): Promise<SubtitleTrack> {
  const name = basename(path)
  if ((await stat(path)).size > maxBytes) throw new InputError(`${quoteName(name)} is too large for subtitles.`)
  const stem = video.name.slice(0, video.name.length - (/\.[^.]*$/.exec(video.name)?.[0].length ?? 0))
  const language = /^\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\./.exec(name.slice(stem.length))?.[1]
  return { source: 'sidecar', name, language, cues: parseSubtitles(decodeText(await readFile(path))) }
}

async function readStream(video: Video, stream: SubtitleStream, signal?: AbortSignal): Promise<SubtitleTrack> {
  const args = await ffmpegArguments({
    input: video,
    inputOptions: ['-copyts'],
    outputs: [{ options: ['-map', `0:${stream.index}`, '-c:s', 'subrip', '-f', 'srt'], pipe: 1 }],
  })
  const { stdout } = await runProgram('ffmpeg', args, { signal, stallSeconds: 180, maxStdoutBytes: maxBytes })
  const cues = parseSubtitles(stdout.toString('utf8')).flatMap(cue => shifted(cue, -video.start))
  const name = stream.title ?? `stream ${stream.index}`
  return { source: 'stream', name, language: stream.language, cues }
}

function shifted(cue: Cue, by: number): Cue[] {
  const span = { start: roundTime(Math.max(0, cue.span.start + by)), end: roundTime(cue.span.end + by) }
  return span.end > span.start ? [{ ...cue, span }] : []
}
