import { gradeShortAnswer } from '../../metrics/short-answer.ts'
import { parseCues } from '../../protocols/cues.ts'
import type { CalibrationQuestion } from '../../protocols/judge/calibration/calibration-set.ts'
import { shortSample } from '../../protocols/judge/calibration/short-sample.ts'
import { judgeModes, type Protocol } from '../../protocols/judge/protocol.ts'
import { pythonText } from '../../python/value.ts'
import { framesOfClues, maxClueFrames } from './frames.ts'
import { asReleased, cgBenchPrompt, oneStep, ownWording, readCgBenchWording } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { isFinal, isRight, readCgBenchVerdict, readOpen } from './reply.ts'
import { subtitleLines } from './subtitles.ts'

const tries = 3

// Two steps: the texts first; where those leave it open, the frames of the clues, without the truth. In the other modes one
// step, whose verdict is final; it replies as the first, which is what the scorer reads.
export const cgBenchProtocol: Protocol<CgBenchRecord> = {
  task: 'open',
  wordingOption: 'wording',
  modes: judgeModes,
  judges: () => true,
  async judge({ sample, reply, wording: given, mode = 'heuristic', step, sight }) {
    const wording = given ? readCgBenchWording(given, 'the wording') : ownWording
    const { record } = sample
    const prediction = readPrediction(reply)
    const request = (text: string, images?: Uint8Array[]) => ({ text, images, temperature: 0, maxTokens: 512 })
    const seen = async (system: string, task: 'step_1' | 'step_2') => {
      const { framesPerSecond, frames, subtitles } = await sight()
      const indices = framesOfClues(record.clue_intervals, maxClueFrames, framesPerSecond)
      const lines = subtitles
        ? subtitleLines(parseCues(subtitles), indices, framesPerSecond, { times: true, markup: 'plain' })
        : undefined
      const material = { prediction, frames: { indices, framesPerSecond }, ...(lines && { subtitles: lines }) }
      const images = await frames(indices.map(index => index / framesPerSecond))
      return request(system + cgBenchPrompt(task, record, material, wording), images)
    }
    const read = (system: string) => request(system + cgBenchPrompt('step_1', record, { prediction }, wording))
    const look = () => seen(wording.system.step_2, 'step_2')
    const final = (raw: string) => isFinal(readCgBenchVerdict(raw, 2).value)
    if (mode === 'text') return void (await step('step_1', () => read(oneStep.text), final, tries))
    if (mode === 'text+vision') return void (await step('step_1', () => seen(oneStep.both, 'step_1'), final, tries))
    if (mode === 'vision') return void (await step('step_1', look, final, tries))
    const first = await step(
      'step_1',
      () => read(wording.system.step_1),
      raw => readCgBenchVerdict(raw, 1).value !== null,
      tries,
    )
    const verdict = readCgBenchVerdict(first, 1).value
    if (verdict !== null && !isFinal(verdict)) await step('step_2', look, final, tries)
  },
  verdicts: () => [
    { step: 'open', scale: 'yes' },
    { step: 'step_1', scale: 'look', about: 'right (1), wrong (0), or only to be told from the video (2)' },
  ],
  verdictOf(step, replies) {
    const first = readCgBenchVerdict(replies.step_1, 1).value
    if (first === null) return null
    if (step === 'step_1') return isFinal(first) ? Number(isRight(first)) : 2
    const verdict = isFinal(first) ? first : readCgBenchVerdict(replies.step_2, 2).value
    return verdict === null ? null : Number(isRight(verdict))
  },
  calibration: {
    set: 'short answers',
    sample: item => ({ ...shortSample(item), record: calibrationRecord(item) }),
    truth: shipped => Number(shipped === 0),
  },
  words(sample, reply) {
    const { score, rule } = gradeShortAnswer(readPrediction(reply), sample.reference ?? '', sample.question.text)
    return { step_1: `\`\`\`json\n{"result": ${score === 1 && rule !== 'partly' ? 1 : 0}}\n\`\`\`` }
  },
  checkWording(text, place) {
    const released = asReleased(readCgBenchWording(text, place))
    return { released: released.includes('step_1') && released.includes('step_2') }
  },
}

function readPrediction(reply: string): string {
  const { value } = readOpen(reply)
  return value === null ? reply : pythonText(value)
}

function calibrationRecord({ id, question, target }: CalibrationQuestion): CgBenchRecord {
  return {
    qid: id,
    video_uid: '',
    question,
    answer: target,
    choices: [target],
    right_answer: 'A',
    clue_intervals: [],
    domain: '',
    sub_category: '',
    duration: 0,
  }
}
