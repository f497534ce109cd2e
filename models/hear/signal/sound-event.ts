import type { Span } from '../../../src/core/time.ts'

// What a stretch of sound is by its signal. The first six are events, the rest fill the time between them.
export type SoundEventKind =
  | 'tone' // one steady pitch: a beep
  | 'sweep' // one pitch that glides up and down: a siren
  | 'ring' // struck, then dying away on steady pitches: a bell
  | 'knock' // a short blow
  | 'burst' // short and rough: a bark, a cough
  | 'crackle' // countless short blows: applause
  | 'speech'
  | 'music'
  | 'noise'
  | 'rumble' // noise without heights
  | 'hiss' // noise of heights
  | 'backdrop' // noise that is hardly heard
  | 'hum' // a steady low pitch
  | 'louder' // a change
  | 'quieter'
  | 'silence'

export interface SoundEvent {
  kind: SoundEventKind
  span: Span
  count: number // of beeps, strokes, blows
  pitch?: { low: number; high: number } // Hz
  centre: number // Hz: half of the power lies below
  level: number // decibels below full scale, of its loudest moment
  change?: number // decibels
}
