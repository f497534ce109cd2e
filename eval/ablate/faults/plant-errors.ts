import { drawFor } from '../../../src/core/basics/draws.ts'
import type { Finding } from '../../../src/core/evidence.ts'

type Line = Pick<Finding, 'text' | 'words' | 'span'>

// Of the errors, the share in which another stands in place of the right one; up to `lost` it is missing; else one is added.
const substituted = 0.7
const lost = 0.85

// What stands in the place of one word or letter that is wrong with the chance of `rate`. Three numbers are drawn whatever
// happens, so that a greater rate keeps the errors of a smaller one.
function spoil<T>(right: T, rate: number, draw: () => number, other: (which: number) => T): T[] {
  const [chance, kind, which] = [draw(), draw(), draw()]
  if (chance >= rate) return [right]
  if (kind < substituted) return [other(which)]
  return kind < lost ? [] : [right, other(which)]
}

// A line with errors in its words: a word becomes another one of the same transcript, is lost, or another one comes after it.
// Undefined if all words are lost.
export function misheard<L extends Line>(
  line: L,
  rate: number,
  pool: readonly string[],
  draw: () => number,
): L | undefined {
  const lineWords = wordsIn(line.text)
  const timed = line.words?.length === lineWords.length ? line.words : undefined
  const heard = lineWords.flatMap((word, at) => {
    const right = { ...(timed?.[at] ?? line.span), text: word }
    const spoiled = spoil(right, rate, draw, which => ({ ...right, text: otherWord(word, pool, which) }))
    return spoiled.map((one, place) => (place === 0 ? one : { ...one, start: right.end }))
  })
  if (heard.length === 0) return undefined
  const { words: _, ...rest } = line
  return { ...rest, text: heard.map(word => word.text).join(' '), ...(timed && { words: heard }) } as L
}

// The different words of a transcript, in the order in which they come: what a word is taken for.
export function wordPool(lines: readonly Pick<Finding, 'text'>[]): string[] {
  return [...new Set(lines.flatMap(line => wordsIn(line.text)))]
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

function otherWord(word: string, pool: readonly string[], which: number): string {
  const replacements = pool.length > 1 ? pool : ['the', 'and', 'of', 'to']
  const at = Math.floor(which * replacements.length)
  const other = replacements[at] === word ? replacements[(at + 1) % replacements.length] : replacements[at]
  return other ?? word
}

export function lineDraw(seed: number, line: Line): () => number {
  return drawFor(seed, 'asr', line.span.start, line.span.end, line.text)
}

// A text with errors in its letters and digits: another of its kind, lost, or one more after it.
export function misread(text: string, rate: number, draw: () => number): string {
  return [...text]
    .flatMap(sign => (/[\p{L}\p{N}]/u.test(sign) ? spoil(sign, rate, draw, which => otherSign(sign, which)) : [sign]))
    .join('')
}

function otherSign(sign: string, which: number): string {
  if (/\d/.test(sign)) return String((Number(sign) + 1 + Math.floor(which * 9)) % 10)
  const lower = sign.toLowerCase()
  const otherLetters = 'abcdefghijklmnopqrstuvwxyz'.replace(lower, '')
  const newLetter = otherLetters.charAt(Math.floor(which * otherLetters.length))
  return sign === lower ? newLetter : newLetter.toUpperCase()
}

export function textDraw(seed: number, place: unknown, text: string): () => number {
  return drawFor(seed, 'ocr', place, text)
}
