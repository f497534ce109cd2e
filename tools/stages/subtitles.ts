import { stamp } from '../../src/core/evidence.ts'
import type { SubtitleTrack } from '../../src/media/subtitles.ts'
import type { StageContext } from './stage.ts'

// The cheapest transcript: what a subtitle file or track says. Writes evidence.jsonl, and says where the words come from.
export async function subtitleStage({ video, out }: StageContext, track: SubtitleTrack): Promise<void> {
  const from = track.source === 'sidecar' ? `file ${track.name}` : `track "${track.name}"`
  out.note(
    `speech comes from the subtitle ${from}${track.guessed ? `, subtitles read as ${track.guessed} (guessed)` : ''}`,
  )
  const rows = track.cues
    .filter(cue => cue.span.start < video.duration && cue.text.trim() !== '')
    .map(({ span, text, speaker }) =>
      stamp(
        {
          span: { start: Math.max(0, span.start), end: Math.min(span.end, video.duration) },
          track: 'speech',
          text,
          speaker,
        },
        video.id,
        'transcribe/subtitles',
      ),
    )
  await out.lines('evidence.jsonl', rows)
}
