import type { Sample } from '../benchmarks/sample.ts'

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

export interface JudgeWork<Item = unknown> {
  sample: Sample<Item>
  reply: string
  wording?: string // a person's own prompt in place of ours
  sight(): Promise<JudgeSight>
  // Asks until the reply can be used, at most so many times; null where it never could. A step known from before is not asked.
  step(
    name: string,
    request: () => JudgeRequest | Promise<JudgeRequest>,
    usable: (reply: string) => boolean,
    tries: number,
  ): Promise<string | null>
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
  wordingOption?: string // the benchmark's setting that names a file with a person's own wording
}
