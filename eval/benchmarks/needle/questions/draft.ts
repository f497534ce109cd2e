import type { Span } from '../../../../src/core/time.ts'
import type { Expectation, Modality } from '../record.ts'

// A question before it gets its options and its rubric.
export interface Draft {
  turns?: { question: string; answer: string }[]
  question: string
  answer: string // a whole sentence
  expect: Expectation
  right?: string // the option that is right; none: the video does not say
  wrong: string[] // three of the same sort, or four where none is right
  clues: Span[]
  modalities: Modality[]
}
