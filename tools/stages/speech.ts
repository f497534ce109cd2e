import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { clampSpan, type Span, spanLength } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { openJournal } from './journal.ts'
import type { StageContext } from './stage.ts'

// Speech to text over the spans where somebody speaks. Writes evidence.jsonl.
export async function speechStage(
  context: StageContext,
  transcriber: Transcriber,
  by: string,
  audio: AudioSource,
  spans: Span[],
  language?: string,
): Promise<void> {
  const { out, video, signal } = context
  const journal = await openJournal<Evidence[]>(out.parts)
  await out.lines('evidence.jsonl', rows()).finally(() => journal.close())

  async function* rows(): AsyncGenerator<Evidence> {
    for (const window of windowsOf(spans)) {
      const key = `${window[0].start} ${window[window.length - 1].end} ${window.length}`
      const before = journal.made(key)
      yield* before ?? (await heard(window, key))
      context.progress(window[window.length - 1].end, video.duration)
    }
  }

  async function heard(window: Span[], key: string): Promise<Evidence[]> {
    const rows: Evidence[] = []
    for await (const line of transcriber.transcribe({ audio, spans: window, language }, signal)) {
      const span = clampSpan(line.span, video.duration)
      if (line.text.trim() === '' || span.end <= span.start) continue
      context.progress(span.end, video.duration)
      rows.push(stamp({ ...line, span }, video.id, by))
    }
    await journal.add([[key, rows]])
    return rows
  }
}

const windowSpeech = 120 // seconds of speech that are transcribed at a time: what a kill may lose
const pause = 1 // seconds of silence that a window ends in

function windowsOf(spans: Span[]): Span[][] {
  const windows: Span[][] = []
  let speech = Number.POSITIVE_INFINITY
  for (const [at, span] of spans.entries()) {
    const quiet = at === 0 || span.start - spans[at - 1].end >= pause
    if (speech >= windowSpeech && quiet) {
      windows.push([])
      speech = 0
    }
    windows[windows.length - 1].push(span)
    speech += spanLength(span)
  }
  return windows
}
