import type { Video } from '../../core/video.ts'
import type { SubtitleTrack } from './parse-subtitles.ts'
import { withSpeakerLabels } from './speaker-labels.ts'

const textCodecs = /^(subrip|srt|webvtt|mov_text|ass|ssa|text|ttml|microdvd|subviewer1?|sami|jacosub|eia_608)$/

// Every subtitle track that holds words: files beside the video first, then streams inside it. Picture subtitles hold none and are left out.
export async function readSubtitles(video: Video, signal?: AbortSignal): Promise<SubtitleTrack[]> {
  const tracks: SubtitleTrack[] = []
  if (video.sidecars.length === 0 && video.subtitles.length === 0) return tracks
  // What finds out the encoding is large, and only loads if there is something to read.
  const { readSidecar } = await import('./read-sidecar.ts')
  const { readSubtitleStream } = await import('./read-stream.ts')
  for (const path of video.sidecars) tracks.push(await readSidecar(path, video, signal))
  for (const stream of video.subtitles) {
    if (textCodecs.test(stream.codec)) tracks.push(await readSubtitleStream(video, stream, signal))
  }
  return tracks.map(track => ({ ...track, cues: withSpeakerLabels(track.cues) }))
}
