import type { Video } from '../core/video.ts'
import { readSidecar } from './subtitles/read-sidecar.ts'
import { readStream } from './subtitles/read-stream.ts'
import type { SubtitleTrack } from './subtitles/track.ts'

export { type Cue, parseSubtitles } from './parse-subtitles.ts'
export { maxSubtitleBytes, type SubtitleTrack } from './subtitles/track.ts'

const textCodecs = /^(subrip|srt|webvtt|mov_text|ass|ssa|text|ttml|microdvd|subviewer1?|sami|jacosub|eia_608)$/

// Every subtitle track that holds words: files beside the video first, then streams inside it. Picture subtitles hold none and are left out.
export async function readSubtitles(video: Video, signal?: AbortSignal): Promise<SubtitleTrack[]> {
  const tracks: SubtitleTrack[] = []
  for (const path of video.sidecars) tracks.push(await readSidecar(path, video, signal))
  for (const stream of video.subtitles) {
    if (textCodecs.test(stream.codec)) tracks.push(await readStream(video, stream, signal))
  }
  return tracks
}
