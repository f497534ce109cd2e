import { z } from 'zod'
import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { Stage, StageContext } from '../../src/core/stage.ts'
import { clampSpan, roundTime, Span, spanLength } from '../../src/core/time.ts'
import { notUnderstood } from '../../src/core/words/not-understood.ts'
import { cueRows } from '../../src/media/subtitles/cue-rows.ts'
import { subtitleReader } from '../../src/media/subtitles/parse-subtitles.ts'
import { decodedSound } from './decode.ts'
import { earlySound } from './early.ts'
import { need, readSubtitleCues, speechTrack } from './results.ts'

// Speech to text over the spans with voice activity. Writes evidence.jsonl, and in not-understood.json the voiced spans without a line.
const speech: Stage<'transcribe'> = {
  name: 'speech',
  version: 3,
  role: 'transcribe',
  track: 'speech',
  rows: true,
  after: ['voices', 'decode'],
  early: [earlySound],
  mayFail: true,
  skip: ({ video }) => !video.sound && 'the video has no audio track',
  // The cheapest transcript: what a subtitle file or track says.
  instead: ({ subtitled, settings }) =>
    subtitled && settings.tracks.speech
      ? {
          role: undefined,
          by: subtitleReader,
          after: ['subtitles'],
          early: undefined,
          mayFail: undefined,
          skip: undefined,
          make: fromSubtitles,
        }
      : undefined,
  async make(context) {
    const spans = await need(context.results.result('voices')).json('voices.json', z.array(Span))
    // Without speech no model is loaded.
    if (spans.length === 0) return void (await context.out.lines('evidence.jsonl', []))
    const { openJournal } = await import('./journal.ts')
    const { out, video, signal } = context
    const { service, by } = await context.open()
    const { audio } = await decodedSound(context)
    const journal = await openJournal<Evidence[]>(out.parts)
    const lost: Span[] = []
    await out.lines('evidence.jsonl', rows()).finally(() => journal.close())
    await out.json('not-understood.json', lost)

    async function* rows(): AsyncGenerator<Evidence> {
      for (const window of groupWindows(spans)) {
        const end = window.at(-1)?.end ?? 0
        const key = `${window[0]?.start} ${end} ${window.length}`
        const lines = journal.made(key) ?? (await heard(window, key))
        yield* lines
        const without = notUnderstood(
          window,
          lines.map(line => line.span),
        )
        lost.push(...without.map(({ start, end }) => ({ start: roundTime(start), end: roundTime(end) })))
        context.progress(end, video.duration)
      }
    }

    async function heard(window: Span[], key: string): Promise<Evidence[]> {
      const rows: Evidence[] = []
      let rowCount = 0 // of the rows, for who looks on: a window that is not whole is heard again
      let writtenAt = performance.now()
      for await (const line of service.transcribe({ audio, spans: window, tagged: video.sound?.language }, signal)) {
        const span = clampSpan(line.span, video.duration)
        if (line.text.trim() === '' || span.end <= span.start) continue
        context.progress(span.end, video.duration)
        rows.push(stamp({ ...line, span }, video.id, by))
        if (performance.now() - writtenAt < betweenLooks) continue
        await journal.add([[`${key} from ${rowCount}`, rows.slice(rowCount)]])
        rowCount = rows.length
        writtenAt = performance.now()
      }
      await journal.add([[key, rows]])
      return rows
    }
  },
}
export default speech

// Notes where the words come from.
async function fromSubtitles({ results: { result }, video, out, signal }: StageContext): Promise<void> {
  const subtitles = need(result('subtitles'))
  const track = await readSubtitleCues(subtitles, need(await speechTrack(subtitles)))
  const from = track.source === 'sidecar' ? `file ${track.name}` : `track "${track.name}"`
  out.note(
    `speech comes from the subtitle ${from}${track.guessed ? `, subtitles read as ${track.guessed} (guessed)` : ''}`,
  )
  await out.lines('evidence.jsonl', cueRows(track, video, signal))
}

const windowSpeech = 120 // seconds of speech that are transcribed at a time: what a kill may lose
const betweenLooks = 3000 // milliseconds
const pause = 1 // seconds of silence that a window ends in

function groupWindows(spans: Span[]): Span[][] {
  const windows: Span[][] = []
  let window: Span[] = []
  let speech = Number.POSITIVE_INFINITY
  let before = Number.NEGATIVE_INFINITY
  for (const span of spans) {
    if (speech >= windowSpeech && span.start - before >= pause) {
      window = []
      windows.push(window)
      speech = 0
    }
    window.push(span)
    speech += spanLength(span)
    before = span.end
  }
  return windows
}
