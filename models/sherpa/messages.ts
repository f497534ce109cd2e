import type { Span } from '../../src/core/time.ts'

// What the process of sherpa-onnx is asked, one thing at a time. `package` is the path of its first file.
export type SherpaJob =
  | {
      kind: 'open diarisation'
      package: string
      config: { clustering: object; [part: string]: unknown }
      embedding: object
    }
  | { kind: 'diarise'; samples: Float32Array; speakers?: number } // how many there are, where that is known
  | { kind: 'open recogniser'; package: string; config: object }
  | { kind: 'recognise'; samples: Float32Array }

export type SherpaReply = { result: unknown } | { error: string }

// Turns of one piece of sound, and for each of its speakers a vector that tells voices apart.
export interface Diarised {
  turns: { span: Span; speaker: number }[]
  voices: { speaker: number; seconds: number; vector: Float32Array }[]
}

// As sherpa-onnx gives it; models that know no times leave the lists empty.
export interface Recognised {
  text: string
  tokens?: string[]
  timestamps?: number[]
}
