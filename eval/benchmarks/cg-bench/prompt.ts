import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { sha256 } from '../../../src/core/json.ts'
import { explainFirstIssue } from '../../data/parse-record.ts'
import { letterAt } from '../../metrics/choice/options.ts'
import { roundHalfEven, roundScaled } from '../../metrics/rounding.ts'
import type { Native } from '../../protocols/frames.ts'
import { floatText } from '../../python/value.ts'
import type { CgBenchRecord } from './record.ts'

const promptTasks = ['long_acc', 'clue_acc', 'miou', 'open', 'step_1', 'step_2'] as const
export type PromptTask = (typeof promptTasks)[number]

// What is said around the question. `{count}`, `{answer}` and `{prediction}` are filled in.
const CgBenchWording = z.object({
  system: z.record(z.enum(promptTasks), z.string()),
  subtitles: z.string(),
  frameTimes: z.string(),
  question: z.string(),
  truth: z.string(),
  prediction: z.string(),
})
type CgBenchWording = z.infer<typeof CgBenchWording>

const choiceSystem = [
  'Here are frames taken from a video, and a question about it with lettered options.',
  'Work out from what the frames show which option fits best. Where they do not show enough, decide for the most likely',
  'option all the same: there is always an answer.',
  'Reply with nothing but this, the letter being the capital of your option:\n\n```json\n{"result": "letter"}\n```\n\n',
].join(' ')

// Our words in the released structure.
export const ownWording: CgBenchWording = {
  system: {
    long_acc: choiceSystem,
    clue_acc: choiceSystem,
    miou: [
      'Here are frames taken evenly from a video with their times, and a question about it with lettered options.',
      'Say in which parts of the video one sees what the question needs: at least one interval, five at most; further ones',
      'are ignored. Times are seconds from the start.',
      'Reply with nothing but this:\n\n```json\n{"result": [[start, end], [start, end]]}\n```\n\n',
    ].join(' '),
    open: [
      'Here are frames taken from a video, and a question about it. Answer from what the frames show, as likely as you can',
      'where they show too little. A word, a phrase or one sentence is enough.',
      'Reply with nothing but this:\n\n```json\n{"result": "answer"}\n```\n\n',
    ].join(' '),
    step_1: [
      'You compare an answer to a question about a video with the right one. You see only the texts.',
      'Give 1 where the answer means the same as the right one or says it along with more; 0 where it means something',
      'else; 2 where it is another thing in words, yet both may describe the same sight, so that one must look at the video.',
      'Reply with nothing but this, with 0, 1 or 2:\n\n```json\n{"result": verdict}\n```\n\n',
    ].join(' '),
    step_2: [
      'Here are frames of the part of a video that a question is about, the question, and an answer to it.',
      'Give 1 where the frames show that the answer is right, else 0.',
      'Reply with nothing but this, with 0 or 1:\n\n```json\n{"result": verdict}\n```\n\n',
    ].join(' '),
  },
  subtitles: 'What is said in the video at these frames:',
  frameTimes: 'There are {count} frames, taken at these seconds:',
  question: 'Question: ',
  truth: "The right answer is '{answer}'",
  prediction: "The answer to judge is '{prediction}'",
}

// The judge in one step: only by the texts, or by the texts and the frames. Our words; nothing of the kind was released.
export const oneStep = {
  text: [
    'You compare an answer to a question about a video with the right one. You see only the texts.',
    'Give 1 where the answer means the same as the right one or says it along with more, else 0.',
    'Reply with nothing but this, with 0 or 1:\n\n```json\n{"result": verdict}\n```\n\n',
  ].join(' '),
  both: [
    'Here are frames of the part of a video that a question is about, the question, the right answer, and an answer to judge.',
    'Give 1 where the answer means the same as the right one or says it along with more, or where the frames show that it',
    'is right as well; else 0.',
    'Reply with nothing but this, with 0 or 1:\n\n```json\n{"result": verdict}\n```\n\n',
  ].join(' '),
}

// Where the video or its sound stands in place of frames.
export function wordingFor(native: Native | undefined): CgBenchWording {
  if (!native) return ownWording
  const what = native === 'video' ? 'a video' : 'the sound of a video'
  const stated = (text: string) =>
    text
      .replace(/^Here are frames taken (?:evenly )?from a video(?: with their times)?/, `Here is ${what}`)
      .replace('the frames show', 'it shows')
      .replace('they do not show', 'it does not show')
      .replace('they show too little', 'it shows too little')
  const { system } = ownWording
  const { long_acc, clue_acc, miou, open } = system
  const told4 = { long_acc: stated(long_acc), clue_acc: stated(clue_acc), miou: stated(miou), open: stated(open) }
  return { ...ownWording, subtitles: 'What is said in the video:', system: { ...system, ...told4 } }
}

// Without frames: our words for what the paper's row of text alone asks.
export function blindWording(hasSubtitles: boolean): CgBenchWording {
  const materialText = hasSubtitles ? 'You get what is said in a video' : 'You get no picture and no sound of a video'
  const reply = (form: string) => `Reply with nothing but this${form}`
  const choice = [
    `${materialText}, and a question about it with lettered options. Choose the most likely option: there is always an answer.`,
    reply(', the letter being the capital of your option:\n\n```json\n{"result": "letter"}\n```\n\n'),
  ].join(' ')
  return {
    ...ownWording,
    system: {
      ...ownWording.system,
      long_acc: choice,
      clue_acc: choice,
      miou: [
        `${materialText}, and a question about it with lettered options. Say in which parts of the video one would most likely see`,
        'what the question needs: one to five intervals. Times are seconds from the start.',
        reply(':\n\n```json\n{"result": [[start, end], [start, end]]}\n```\n\n'),
      ].join(' '),
      open: [
        `${materialText}, and a question about it. Give the most likely answer: a word, a phrase or one sentence is enough.`,
        reply(':\n\n```json\n{"result": "answer"}\n```\n\n'),
      ].join(' '),
    },
  }
}

// The same with a choice replied as its letter alone. Both scorings read it: the released one falls back to letters that stand alone.
export function withBareLetter(wording: CgBenchWording): CgBenchWording {
  const bare = (text: string) =>
    text.replace(/Reply with nothing but this[\s\S]*$/, 'Reply with the capital letter of your option alone.\n\n')
  const { long_acc = '', clue_acc = '' } = wording.system
  return { ...wording, system: { ...wording.system, long_acc: bare(long_acc), clue_acc: bare(clue_acc) } }
}

// sha256 of the released system texts: what a wording file must hold for scores to be comparable with the leaderboard.
export const releasedSystems: Record<PromptTask, string> = {
  long_acc: '812a96ae0977367c8ca7ec5e255aee706eafbc66dcb94f014df8529772999c91',
  clue_acc: 'd35c4e70550ebc72e34b43d7963d725b7bf9af6af23797509494790e30d07508',
  miou: '790aa294519e250e406dced43d8fc8c7a98cc67d604155e62d2ac1c6bdb01900',
  open: 'e40969ed59af4e987a3033863bda9567fecbbf19e391e50f18ceff4ce72e3d8c',
  step_1: '4b8d58ceaa26edf54d9ad974feeabc1eb49aee2fb85634808f92f8fd564c4ec6',
  step_2: 'db10782ac60c230f3e858338729ddef1c49d8f7cd1bef098ac1583be9bcc2ead',
}

// A wording that a person supplies, from a JSON file's text.
export function readCgBenchWording(text: string, place: string): CgBenchWording {
  const parsed = z
    .string()
    .transform((value, context) => {
      try {
        return JSON.parse(value)
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' })
        return z.NEVER
      }
    })
    .pipe(CgBenchWording)
    .safeParse(text)
  if (parsed.success) return parsed.data
  throw new UsageError(`${place} is not a wording of CG-Bench: ${explainFirstIssue(parsed.error, 'file')}.`, {
    hint: 'docs/benchmarks.md shows its fields.',
  })
}

// The tasks whose system text is the released one, byte for byte.
export function asReleased(wording: CgBenchWording): PromptTask[] {
  return promptTasks.filter(task => sha256(wording.system[task]) === releasedSystems[task])
}

interface PromptMaterial {
  subtitles?: string[] // left out: subtitles are off
  frames?: { indices: readonly number[]; framesPerSecond: number } // left out: frame times are off
  duration?: number // where no frame is: for grounding and open answers
  prediction?: string // for the judge's steps
}

// The text that follows the images: subtitles, frame times, question, options; for the judge the truth and the prediction.
export function cgBenchPrompt(
  task: PromptTask,
  record: CgBenchRecord,
  shown: PromptMaterial,
  wording = ownWording,
): string {
  const blocks: string[] = []
  if (shown.subtitles && shown.subtitles.length > 0) blocks.push(wording.subtitles, shown.subtitles.join('\n'))
  if (shown.frames) {
    const { indices, framesPerSecond } = shown.frames
    const overall = task === 'long_acc' || task === 'miou' || task === 'open'
    // The indices over the whole video are numpy numbers in the release, and numpy rounds otherwise than Python.
    const seconds = (frame: number) => (overall ? roundScaled : roundHalfEven)(frame / framesPerSecond, 4)
    blocks.push(wording.frameTimes.replace('{count}', String(indices.length)))
    blocks.push(indices.map(frame => floatText(seconds(frame))).join(', '))
  }
  if (shown.duration && (task === 'miou' || task === 'open'))
    blocks.push(`The video lasts ${floatText(shown.duration)} seconds.`)
  blocks.push(`${wording.question}${record.question}`)
  if (task === 'long_acc' || task === 'clue_acc' || task === 'miou')
    blocks.push(record.choices.map((choice, i) => `${letterAt(i)}:${choice}`).join('\n'))
  if (task === 'step_1') blocks.push(wording.truth.replace('{answer}', () => record.answer))
  if (task === 'step_1' || task === 'step_2')
    blocks.push(wording.prediction.replace('{prediction}', () => shown.prediction ?? ''))
  return blocks.map(block => `${block}\n\n`).join('')
}

// What is switched on by F, FT, S and ST, and the name a result has in the released files.
export function resultKey(
  task: string,
  model: { name: string; size: string },
  shown: { frames: number | string; subtitles: boolean | string; subtitleTimes: boolean; frameTimes: boolean },
): string {
  const flag = (on: boolean) => (on ? 'True' : 'False')
  const subtitles = shown.subtitles !== false
  const times = subtitles && shown.subtitleTimes
  return [task, model.name, model.size, shown.frames, flag(subtitles), flag(times), flag(shown.frameTimes)].join('_')
}
