import { z } from 'zod'
import listen from '../../../tools/listen.ts'
import transcribe from '../../../tools/transcribe.ts'
import { Refused } from '../../core/api/problem.ts'
import { byTime } from '../../core/evidence.ts'
import type { Operation } from '../../core/operation.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import { type Span, spanLength } from '../../core/time.ts'
import type { AudioSource } from '../../core/video.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { findPart, readSpan } from './choose-span.ts'
import { timeInput, videoInput } from './inputs.ts'
import { rowLines, spanText } from './read.ts'
import { eachPart, openTimeline, shiftRow } from './source.ts'

const maxPlayed = 30 // seconds
const maxTranscribed = 120 // seconds: more takes longer than hosts wait

const input = z.object({
  video: videoInput,
  start: timeInput,
  end: timeInput,
  as: z.enum(['words', 'audio', 'spectrogram']).optional().describe('default words'),
})

export const hearOperation: Operation<typeof input> = {
  name: 'hear',
  description:
    'Hears a span again: as words (transcribed once more, sounds named; up to 120 s), as audio, or as a spectrogram (picture of up to 30 s: repeated sounds look alike).',
  input,
  asksModels: true,
  async run({ video, start, end, as = 'words' }, memory) {
    const source = await openTimeline(memory, video)
    const span = readSpan(source, { start, end })
    const { offset, video: part } = findPart(source, span)
    const max = as === 'words' ? maxTranscribed : maxPlayed
    if (spanLength(span) === 0 || spanLength(span) > max)
      throw new Refused(
        'usage',
        `${spanText(span)} is ${spanLength(span).toFixed(1)} s long, and ${as} can be of up to ${max} s.`,
        spanLength(span) === 0 ? 'Name an "end" after "start".' : 'Name a shorter span.',
      )
    if (!part.sound) throw new Refused('conflict', `${visibleFileName(part.name)} has no sound.`, 'View or read it.')
    const [reply] = await eachPart(memory, source, span, async (index, local) => {
      const context = memory.context(index)
      if (as !== 'words') return playSpan(await context.audio(), local, as, memory.signal)
      const wish = { start: local.start, end: local.end }
      const { madeIndex } = await context.services.retranscribe()
      const heard = await Promise.allSettled([
        transcribe.run(transcribe.input.parse(wish), context),
        listen.run(listen.input.parse(wish), context),
      ])
      const results = heard.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
      const [failed] = heard.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
      if (results.length === 0) throw failed
      const rows = results.flatMap(({ evidence }) => evidence).sort(byTime)
      const lines = rowLines(rows.map(row => shiftRow(row, offset))).map(({ line }) => line)
      const same = madeIndex ? 'By the recogniser that made the index: the same words are no confirmation.' : ''
      return {
        head: [
          `${countPhrase(lines.length, 'row')} in ${spanText(span)}.`,
          same,
          ...new Set(results.map(({ text = '' }) => text)),
        ]
          .filter(Boolean)
          .join(' '),
        lines,
        ...(madeIndex && { next: 'Next: hear it as audio or spectrogram, or read the text on screen there.' }),
      }
    })
    if (!reply) throw new Refused('usage', 'There is nothing to hear.', 'Name another span.')
    return reply
  },
}

async function playSpan(
  sound: AudioSource | undefined,
  span: Span,
  as: 'audio' | 'spectrogram',
  signal: AbortSignal,
): Promise<OperationReply> {
  if (!sound) throw new Refused('conflict', 'The sound cannot be decoded.', 'View or read it.')
  const samples = await sound.read(span)
  const { wavBytes } = await import('../../media/audio.ts')
  const wav = wavBytes(samples)
  if (as === 'audio') return { head: `The sound of ${spanText(span)}.`, lines: [], sound: wav }
  const { drawSpectrogram } = await import('../../media/spectrogram.ts')
  return {
    head: `The spectrogram of ${spanText(span)}, where its axis has 0: time from left to right, 0 to 8 kHz from bottom to top, louder is brighter.`,
    lines: [],
    pictures: [await drawSpectrogram(wav, signal)],
  }
}
