import type { Cue } from './parse-subtitles.ts'

export interface SubtitleTrack {
  source: 'sidecar' | 'stream'
  name: string
  language?: string
  guessed?: string // the encoding that its bytes look like, where the file does not say
  problem?: string // why it could not be read
  cues: Cue[]
}

export const maxSubtitleBytes = 32 * 1024 * 1024
