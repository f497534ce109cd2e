import { type Evidence, stamp } from '../../core/evidence.ts'
import type { Video } from '../../core/video.ts'
import { type SubtitleTrack, subtitleReader } from './parse-subtitles.ts'

// The lines of a subtitle track as rows of speech.
export function* cueRows(
  { cues }: Pick<SubtitleTrack, 'cues'>,
  video: Pick<Video, 'id' | 'duration'>,
  signal: AbortSignal,
): Generator<Evidence> {
  for (const { span, text, speaker } of cues) {
    signal.throwIfAborted()
    if (span.start >= video.duration || text.trim() === '') continue
    const clamped = { start: Math.max(0, span.start), end: Math.min(span.end, video.duration) }
    yield stamp({ span: clamped, track: 'speech', text, speaker }, video.id, subtitleReader)
  }
}
