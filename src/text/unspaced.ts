import { once } from '../core/basics/once.ts'

// Scripts that put no space between words. Marks and the long-vowel sign belong to several scripts: hence the extensions.
const letter = String.raw`(?![·\p{P}\p{S}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`
const hasUnspaced = once(() => new RegExp(letter, 'u'))
const runs = once(() => new RegExp(String.raw`(?:${letter}\p{M}*)+|(?:(?!${letter}).)+`, 'gsu'))

// Letters that say something on their own, so that a search may go by them where words were cut differently.
const ideograms = once(() => /(?![\p{P}\p{S}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]\p{M}*/gu)
const letters = /\P{M}\p{M}*/gu

interface Piece {
  text: string
  at: number // where it begins in the word it was cut from
}

// All of these scripts lie from Thai on; most words are ruled out by that alone.
const mayHold = /[\u0e00-\uffff]/

function isUnspaced(text: string): boolean {
  return mayHold.test(text) && hasUnspaced().test(text)
}

// The words within a run of letters; undefined if all of it is written with spaces.
export function wordsWithin(run: string): Piece[] | undefined {
  if (!isUnspaced(run)) return undefined
  return [...run.matchAll(runs())].flatMap(({ 0: text, index }) =>
    isUnspaced(text) ? segments(text, index) : trimmed(text, index),
  )
}

// "北京大学" -> its four letters; nothing for scripts whose single letters say nothing.
export function findIdeograms(word: string): string[] {
  return mayHold.test(word) ? (word.match(ideograms()) ?? []) : []
}

// A word as the letters, each with its marks, that any cutting of the text leaves whole; nothing for scripts with spaces.
export function unspacedLetters(word: string): string[] {
  return isUnspaced(word) ? (word.match(letters) ?? []) : []
}

let segmenter: Intl.Segmenter | undefined
const maxRun = 1000 // characters; no sentence of these scripts is as long without a mark

function segments(run: string, start: number): Piece[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  const pieces: Piece[] = []
  for (let from = 0; from < run.length; from += maxRun) {
    for (const { segment, index } of segmenter.segment(run.slice(from, from + maxRun)))
      if (/[\p{L}\p{N}]/u.test(segment)) pieces.push({ text: segment, at: start + from + index })
  }
  return pieces
}

// "3.5" of "3.5米": a separator at the seam belongs to neither side.
function trimmed(text: string, start: number): Piece[] {
  const [, before = '', word] = /^([^\p{L}\p{N}]*)(.*?)[^\p{L}\p{N}]*$/su.exec(text) ?? []
  return word ? [{ text: word, at: start + before.length }] : []
}
