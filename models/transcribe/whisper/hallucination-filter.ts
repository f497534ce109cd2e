import { deflateSync } from 'node:zlib'
import { overlap, type Span } from '../../../src/core/time.ts'
import { comparableText } from './merge-overlap.ts'
import type { HeardLine } from './segments.ts'

// Whisper hallucinates where it hears nothing it knows: text in silence, and the same words over and over. The limits are those
// of its makers.
const limits = { noSpeech: 0.6, probability: Math.exp(-1), compressionRatio: 2.4 }
const sure = 0.8 // how likely the words of a line are that is not heard again

export interface Spoken {
  text: string
  probability: number // of its tokens, geometric mean, 0..1
}

// Probably no speech, and the words are unsure too.
export function isSilence({ noSpeech, probability }: { noSpeech: number; probability: number }): boolean {
  return noSpeech > limits.noSpeech && probability < limits.probability
}

// Worth another try: the words are unsure.
export function isDoubtful({ probability }: Pick<Spoken, 'probability'>): boolean {
  return probability < limits.probability
}

// Worth another try: the words are highly repetitive.
export function isLoop(text: string): boolean {
  return compressionRatio(text) > limits.compressionRatio
}

// Worth a search for a likelier text.
export function isUnsure({ probability }: Pick<Spoken, 'probability'>): boolean {
  return probability < sure
}

export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text)
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length
}

// Drops lines that lie where nobody speaks, and what a line says a third time in a row.
export function withoutHallucinations(lines: readonly HeardLine[], speech: readonly Span[]): HeardLine[] {
  return lines.filter(line => speech.some(span => overlap(line, span) > 0)).map(withoutLoop)
}

const maxLoop = 12 // words

// A looping line keeps its words up to the second round.
function withoutLoop(line: HeardLine): HeardLine {
  const { words } = line
  for (let length = 1; length <= maxLoop; length++) {
    for (let at = 0; at + length * 3 <= words.length; at++) {
      let rounds = 1
      while (isSame(words, at, at + rounds * length, length)) rounds++
      if (rounds < (length === 1 ? 4 : 3)) continue
      const remainingWords = [...words.slice(0, at + length * 2), ...words.slice(at + rounds * length)]
      return withoutLoop({ ...line, words: remainingWords })
    }
  }
  return line
}

function isSame(words: HeardLine['words'], a: number, b: number, length: number): boolean {
  if (b + length > words.length) return false
  const second = words.slice(b, b + length)
  return words
    .slice(a, a + length)
    .every((word, i) => comparableText(word.text) === comparableText(second[i]?.text ?? ''))
}
