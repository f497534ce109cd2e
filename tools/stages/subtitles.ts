import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { Video } from '../../src/core/video.ts'
import type { SubtitleTrack } from '../../src/media/subtitles.ts'
import type { StageContext } from './stage.ts'

// The cheapest transcript: what a subtitle file or track says. Writes evidence.jsonl, and says where the words come from.
export async function subtitleStage({ video, out, signal }: StageContext, track: SubtitleTrack): Promise<void> {
  const from = track.source === 'sidecar' ? `file ${track.name}` : `track "${track.name}"`
  out.note(
    `speech comes from the subtitle ${from}${track.guessed ? `, subtitles read as ${track.guessed} (guessed)` : ''}`,
  )
  await out.lines('evidence.jsonl', rowsOf(track, video, signal))
}

function* rowsOf({ cues }: SubtitleTrack, video: Video, signal: AbortSignal): Generator<Evidence> {
  for (const { span, text, speaker } of cues) {
    signal.throwIfAborted()
    if (span.start >= video.duration || text.trim() === '') continue
    const clamped = { start: Math.max(0, span.start), end: Math.min(span.end, video.duration) }
    yield stamp({ span: clamped, track: 'speech', text, speaker }, video.id, 'transcribe/subtitles')
  }
}
