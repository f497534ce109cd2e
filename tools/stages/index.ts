import type { Stage } from '../../src/core/stage.ts'
import { decode } from './decode.ts'
import { meaning } from './meaning.ts'
import { nearest } from './nearest.ts'
import { overview } from './overview.ts'
import { sounds } from './sounds.ts'
import { speech } from './speech.ts'
import { subtitles } from './subtitles.ts'
import { text } from './text.ts'
import { vectors } from './vectors.ts'
import { voices } from './voices.ts'
import { words } from './words.ts'

// What an index is made of, each after those that it reads.
export const stages: readonly Stage[] = [
  subtitles,
  decode,
  vectors,
  text,
  voices,
  speech,
  sounds,
  overview,
  words,
  nearest,
  meaning,
]
