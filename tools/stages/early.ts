import type { StoredVectors } from '../../src/core/services.ts'
import type { EarlyPart, StageInput } from '../../src/core/stage.ts'
import type { Span } from '../../src/core/time.ts'
import type { Still } from '../../src/core/video.ts'

// What stages hand on before they are over.

// Stills that are kept and can be read from this file; their shots are not final.
export const earlyStills: EarlyPart<{ stills: readonly Still[]; file: string }> = { stage: 'decode', part: 'stills' }
// The sound is complete, and stays at this path until the stage is.
export const earlySound: EarlyPart<{ file: string; gaps: readonly Span[] }> = { stage: 'decode', part: 'sound' }

// The index of the nearest frames, made while the vectors came: HNSW takes about a millisecond for each. The number of a still in it is
// its place in the list, so that it holds only where its stills (`offsets`, in the file of stills) begin that list.
export const earlyVectorIndex: EarlyPart<{ index: StoredVectors; offsets: readonly number[] }> = {
  stage: 'vectors',
  part: 'nearest',
}

// What the stages over the kept stills share.
export const ofStills = {
  after: ['decode'],
  early: [earlyStills],
  runAfter: { voices: 'low-cpu' },
  mayFail: true,
  skip: ({ video }: StageInput) => !video.picture && 'the video has no picture',
  settings: ({ chosenStills }: StageInput) => ({ stills: chosenStills }),
} as const
