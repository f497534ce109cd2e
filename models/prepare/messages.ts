import type { PictureConfig } from '../pictures/picture-config.ts'
import type { Pixels } from '../pictures/resample.ts'
import type { BoxSettings } from '../read-text/paddle-boxes.ts'
import type { ClapSound } from '../sound/clap-features.ts'
import type { KaldiSound } from '../sound/kaldi-features.ts'
import type { WhisperSound } from '../sound/whisper-features.ts'
import type { Attention } from '../transcribe/whisper/messages.ts'

// What is made of a picture or a piece of sound before a model sees or hears it, and of where it looked afterwards.
export type PrepareJob =
  | { kind: 'picture'; picture: Pixels; config: PictureConfig }
  | { kind: 'whisper'; samples: Float32Array; config: WhisperSound }
  | { kind: 'vocabulary'; file: string }
  | { kind: 'clap'; samples: Float32Array; rate: number; config: ClapSound }
  | { kind: 'kaldi'; samples: Float32Array; config: KaldiSound }
  | { kind: 'times'; attention: Attention; seconds: number; median: number; rows: number[] }
  | { kind: 'page'; page: Pixels }
  | { kind: 'boxes'; map: Float32Array; width: number; height: number; settings: BoxSettings }
  | { kind: 'lines'; lines: Pixels[]; width: number; height: number }
  | { kind: 'letters'; scores: Float32Array; shape: LetterShape; keys: readonly string[] }

// Of the scores that a recogniser gives: for each line, at each step, of each class.
export interface LetterShape {
  rows: number
  steps: number
  classes: number
}
