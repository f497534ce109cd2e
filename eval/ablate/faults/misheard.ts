import type { Finding } from '../../../src/core/evidence.ts'
import { drawFor } from './draw.ts'

type Line = Pick<Finding, 'text' | 'words' | 'span'>

// Errors per hundred errors: a word becomes another one of the same transcript, is lost, or another one comes after it.
const substituted = 0.7
const lost = 0.85

// The words of a line with errors: each one is wrong with the chance of `wer`. Nothing is left where all of them are lost.
// Three numbers are drawn for each word whatever happens to it, so that a greater rate keeps the errors of a smaller one.
export function misheard<L extends Line>(
  line: L,
  wer: number,
  pool: readonly string[],
  draw: () => number,
): L | undefined {
  const said = line.text.split(/\s+/).filter(Boolean)
  const timed = line.words && line.words.length === said.length ? line.words : undefined
  const heard: { text: string; start: number; end: number; confidence?: number }[] = []
  said.forEach((word, at) => {
    const [chance, kind, which] = [draw(), draw(), draw()]
    const place = timed?.[at] ?? { text: word, start: line.span.start, end: line.span.end }
    const other = () => ({ ...place, text: otherWord(word, pool, which) })
    if (chance >= wer) heard.push({ ...place, text: word })
    else if (kind < substituted) heard.push(other())
    else if (kind >= lost) heard.push({ ...place, text: word }, { ...other(), start: place.end })
  })
  if (heard.length === 0) return undefined
  const { words: _, ...rest } = line
  return { ...rest, text: heard.map(word => word.text).join(' '), ...(timed && { words: heard }) } as L
}

// The different words of a transcript, in the order in which they come: what a word is taken for.
export function wordPool(lines: readonly Pick<Finding, 'text'>[]): string[] {
  return [...new Set(lines.flatMap(line => line.text.split(/\s+/).filter(Boolean)))]
}

function otherWord(word: string, pool: readonly string[], which: number): string {
  const others = pool.length > 1 ? pool : ['the', 'and', 'of', 'to']
  const at = Math.floor(which * others.length)
  return others[at] === word ? others[(at + 1) % others.length] : others[at]
}

export function lineDraw(seed: number, line: Line): () => number {
  return drawFor(seed, 'asr', line.span.start, line.span.end, line.text)
}
