import { deflateSync } from 'node:zlib'
import { overlap, type Span } from '../../../src/core/time.ts'
import { plain } from './seams.ts'
import type { HeardLine } from './segments.ts'

// What Whisper makes up when it hears nothing it knows: text in silence, and the same words over and over. The limits are
// those that its makers use.
const limits = { noSpeech: 0.6, chance: Math.exp(-1), squeeze: 2.4 }

// Hardly speech, and the words are unsure too.
export function isSilence({ noSpeech, chance }: { noSpeech: number; chance: number }): boolean {
  return noSpeech > limits.noSpeech && chance < limits.chance
}

// Worth another try: the words are unsure, or they repeat so much that they can be squeezed into little.
export function isDoubtful({ text, chance }: { text: string; chance: number }): boolean {
  return chance < limits.chance || squeeze(text) > limits.squeeze
}

// How many times smaller a text can be packed.
export function squeeze(text: string): number {
  const bytes = Buffer.from(text)
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length
}

// Lines of speech alone: what begins where nobody speaks was made up, and so is what is said a third time in a row.
export function withoutInventions(lines: readonly HeardLine[], speech: readonly Span[]): HeardLine[] {
  return lines.filter(line => speech.some(span => overlap(line, span) > 0)).map(withoutLoop)
}

const longestLoop = 12 // words

// A line that goes in circles keeps its words up to the second round.
function withoutLoop(line: HeardLine): HeardLine {
  const { words } = line
  for (let length = 1; length <= longestLoop; length++) {
    for (let at = 0; at + length * 3 <= words.length; at++) {
      let rounds = 1
      while (isSame(words, at, at + rounds * length, length)) rounds++
      if (rounds < (length === 1 ? 4 : 3)) continue
      const left = [...words.slice(0, at + length * 2), ...words.slice(at + rounds * length)]
      return withoutLoop({ ...line, words: left })
    }
  }
  return line
}

function isSame(words: HeardLine['words'], a: number, b: number, length: number): boolean {
  if (b + length > words.length) return false
  return Array.from({ length }, (_, i) => i).every(i => plain(words[a + i]!.text) === plain(words[b + i]!.text))
}
