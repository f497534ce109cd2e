import type { Provider } from '../../onnx/device.ts'
import type { OnnxTensor, Opened } from '../../onnx/messages.ts'
import type { Attention } from '../../prepare/word-times.ts'
import type { TimestampRules } from './timestamp-rules.ts'

export interface DecodeRequest {
  prompt: number[]
  start: number // where the prompt says that a transcript begins
  rules: TimestampRules
  noSpeech?: number // the token that stands for "nobody speaks"
  maxTokens: number
  heads: [layer: number, head: number][] // whose attention shows when a word was said
  temperature: number
  beams?: number // texts that grow side by side; without it the likeliest token each time
  seed: number
}

export type WhisperJob =
  | {
      kind: 'open'
      encoder: string
      decoder: string
      decoderWithPast?: string
      providers: Provider[]
      threads: number
      shape: { layers: number; heads: number; size: number }
    }
  | { kind: 'language'; hearing: OnnxTensor; start: number; languages: number[] }
  | { kind: 'write'; hearing: OnnxTensor; writing: DecodeRequest }
  | { kind: 'ran' }

// Where the encoder and the decoder were opened.
export interface WhisperOpened {
  encoder: Opened
  decoder: Opened
}

// What was written for one window.
export interface DecodedWindow {
  tokens: number[] // without the prompt and the token that ends it
  probabilities: number[] // of each token, 0..1
  noSpeech: number // how likely nobody speaks, 0..1
  attention?: Attention
}
