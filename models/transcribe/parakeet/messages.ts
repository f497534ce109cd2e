import type { Provider } from '../../onnx/device.ts'
import type { OnnxTensor, Opened } from '../../onnx/messages.ts'

export type ParakeetJob =
  | { kind: 'open'; encoder: string; decoder: string; providers: Provider[]; threads: number; blank: number }
  | { kind: 'write'; hearing: OnnxTensor; lengths: number[] }
  | { kind: 'ran' }

// Where the encoder and the decoder were opened.
export interface ParakeetOpened {
  encoder: Opened
  decoder: Opened
}

// A token that was heard.
export interface SaidToken {
  token: number
  frame: number // of the encoder, in which it begins
  frames: number // that it lasts; 0 if another begins in the same
  share: number // how likely it is, 0..1
}
