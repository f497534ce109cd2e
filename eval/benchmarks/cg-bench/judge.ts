import type { Protocol } from '../../judges/protocol.ts'
import { gradeShortAnswer } from '../../judges/short-answer.ts'
import { pythonText } from '../../python/value.ts'
import { parseCues } from '../cues.ts'
import { framesOfClues, maxClueFrames } from './frames.ts'
import { asReleased, ownWording, promptText, readWording } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { isFinal, readOpen, readVerdict } from './reply.ts'
import { subtitleLines } from './subtitles.ts'

const tries = 3

// Two steps: the texts first; where those leave it open, the frames of the clues, without the truth.
export const judge: Protocol<CgBenchRecord> = {
  task: 'open',
  wordingOption: 'wording',
  judges: () => true,
  async judge({ sample, reply, wording: given, step, sight }) {
    const wording = given ? readWording(given, 'the wording') : ownWording
    const { record } = sample
    const prediction = predictionOf(reply)
    const first = await step(
      'step_1',
      () => ({
        text: wording.system.step_1 + promptText('step_1', record, { prediction }, wording),
        temperature: 0,
        maxTokens: 512,
      }),
      raw => readVerdict(raw, 1).value !== null,
      tries,
    )
    const verdict = readVerdict(first, 1).value
    if (verdict === null || isFinal(verdict)) return
    await step(
      'step_2',
      async () => {
        const { framesPerSecond, frames, subtitles } = await sight()
        const indices = framesOfClues(record.clue_intervals, maxClueFrames, framesPerSecond)
        const lines = subtitles
          ? subtitleLines(parseCues(subtitles), indices, framesPerSecond, { times: true, markup: 'plain' })
          : undefined
        const shown = { prediction, frames: { indices, framesPerSecond }, ...(lines && { subtitles: lines }) }
        return {
          images: await frames(indices.map(index => index / framesPerSecond)),
          text: wording.system.step_2 + promptText('step_2', record, shown, wording),
          temperature: 0,
          maxTokens: 512,
        }
      },
      raw => readVerdict(raw, 2).value !== null,
      tries,
    )
  },
  words(sample, reply) {
    const { score, rule } = gradeShortAnswer(predictionOf(reply), sample.reference ?? '', sample.question.text)
    return { step_1: `\`\`\`json\n{"result": ${score === 1 && rule !== 'partly' ? 1 : 0}}\n\`\`\`` }
  },
  checkWording(text, place) {
    const released = asReleased(readWording(text, place))
    return { released: released.includes('step_1') && released.includes('step_2') }
  },
}

function predictionOf(reply: string): string {
  const { value } = readOpen(reply)
  return value === null ? reply : pythonText(value)
}
