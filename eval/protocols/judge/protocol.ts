import { z } from 'zod'
import type { Sample } from '../../data/sample.ts'
import type { CalibrationQuestion, CalibrationSet } from './calibration/calibration-set.ts'
import type { Scale } from './scale.ts'

// What a judge model is asked; images come before the text.
export interface JudgeRequest {
  system?: string
  text: string
  images?: Uint8Array[]
  temperature: number
  maxTokens: number
  schema?: { name: string; schema: object }
}

// Frames and subtitles of the sample's video, for a judge that looks.
export interface JudgeSight {
  framesPerSecond: number
  frames(times: number[]): Promise<Uint8Array[]> // JPEG
  subtitles?: string // an SRT file's text
}

interface JudgeWork<Item = unknown> {
  sample: Sample<Item>
  reply: string
  wording?: string // a person's own prompt in place of ours
  mode?: JudgeMode
  sight(): Promise<JudgeSight>
  // Asks until the reply can be used, at most so many times; null if it never could. A step known from before is not asked.
  step(
    name: string,
    request: () => JudgeRequest | Promise<JudgeRequest>,
    usable: (reply: string) => boolean,
    tries: number,
  ): Promise<string | null>
}

// What a judge sees beside the question and the answer: the truth, frames, both, or frames only where the truth leaves it open.
export const judgeModes = ['heuristic', 'text', 'vision', 'text+vision'] as const
export type JudgeMode = (typeof judgeModes)[number]

export type JudgeChoice = 'auto' | 'model' | 'words' | 'off'

// Whether a judge looks at every video.
export function isSeeing(mode: JudgeMode | undefined): boolean {
  return mode === 'vision' || mode === 'text+vision'
}

// A person's own wording of the judge's prompt: its file, and whether its text is that of the released scorer.
export const JudgeWording = z.object({ file: z.string(), sha256: z.string(), released: z.boolean() })
export type JudgeWording = z.infer<typeof JudgeWording>

// One thing that can be said of an answer: a step of the judge, or what all steps come to.
export interface VerdictKind {
  step: string
  scale: Scale
  about?: string // what is asked of the answer, where it is not whether it is right
}

// How one benchmark judges its open answers: which steps, in what order, with what prompts.
export interface Protocol<Item = unknown> {
  task: string // the task whose reply is judged
  judges(sample: Sample<Item>): boolean
  calls?(sample: Sample<Item>): number // of a judge model, at least; 1 if left out
  judge(work: JudgeWork<Item>): Promise<void>
  // The same steps without a model: raw replies in the form that the benchmark's parser reads.
  words(sample: Sample<Item>, reply: string): Record<string, string>
  checkWording(text: string, place: string): { released: boolean } // UsageError where it is not usable
  modes?: readonly JudgeMode[] // where it can be asked in several; the first is that of the benchmark
  verdicts(sample: Sample<Item>): VerdictKind[] // that a person may give too; the first is what is meant where no step is named
  verdictOf(step: string, replies: Record<string, string | null>): number | null // on the step's scale; null: none that is usable
  calibration?: Calibration
  wordingOption?: string // the benchmark's setting that names a file with a person's own wording
}

// Which of the shipped sets checks a judge of this protocol, and how its items are asked.
interface Calibration {
  set: CalibrationSet
  sample(item: CalibrationQuestion): Sample
  truth(shipped: number): number // on the scale of the protocol's first verdict
}
