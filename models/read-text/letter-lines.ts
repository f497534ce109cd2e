import type { Component } from '../prepare/components.ts'
import { lowerQuantileBy } from '../quantile.ts'

// Patches that stand beside each other like the letters of a line; right and bottom are exclusive.
export interface LetterLine {
  left: number
  top: number
  right: number
  bottom: number
  letters: Component[]
  size: number // height of its tall letters
}

export const letterPixels = { min: 7, max: 72 } // pixels

// Joins patches of the size of letters into lines.
export function letterLines(patches: readonly Component[]): LetterLine[] {
  const letters = patches.filter(isLetter).sort((a, b) => a.left - b.left)
  const open: Component[][] = []
  for (const letter of letters) {
    const line = nearest(open, letter)
    if (line) line.push(letter)
    else open.push([letter])
  }
  return open.flatMap(toLine)
}

function isLetter({ left, top, right, bottom, area }: Component): boolean {
  const width = right - left
  const height = bottom - top
  if (height < letterPixels.min || height > letterPixels.max || width > height * 14) return false
  const fill = area / (width * height)
  return fill > 0.08 && (fill < 0.95 || width < height * 0.5) && width > 1
}

// The line whose last letter stands just left of this one, at its height.
function nearest(lines: Component[][], letter: Component): Component[] | undefined {
  const height = letter.bottom - letter.top
  let best: { line: Component[]; gap: number } | undefined
  for (const line of lines) {
    const last = line[line.length - 1]!
    const lastHeight = last.bottom - last.top
    const gap = letter.left - last.right
    const tall = Math.max(height, ...line.slice(-6).map(({ top, bottom }) => bottom - top))
    if (gap > tall * 1.35 || gap < -tall * 0.5) continue
    if (Math.max(height, lastHeight) > Math.min(height, lastHeight) * 2.4) continue
    const shared = Math.min(letter.bottom, last.bottom) - Math.max(letter.top, last.top)
    if (shared < Math.min(height, lastHeight) * 0.6) continue
    if (!best || gap < best.gap) best = { line, gap }
  }
  return best?.line
}

// One line, or none: the letters of a line stand on one ground. They come in the order of their left edges.
export function toLine(letters: Component[]): LetterLine[] {
  const [first, last] = [letters.at(0), letters.at(-1)]
  if (!first || !last) return []
  const size = lowerQuantileBy(letters, 0.8, letter => letter.bottom - letter.top)
  if (last.right - first.left < size * (letters.length < 2 ? 3 : 1.2)) return []
  const ground = lowerQuantileBy(letters, 0.5, letter => letter.bottom)
  const standing = letters.filter(letter => Math.abs(letter.bottom - ground) <= Math.max(2, size * 0.15))
  if (standing.length < letters.length * 0.5) return []
  const leftEdge = Math.min(...letters.map(letter => letter.left))
  const top = Math.min(...letters.map(letter => letter.top))
  const right = Math.max(...letters.map(letter => letter.right))
  const bottom = Math.max(...letters.map(letter => letter.bottom))
  return [{ left: leftEdge, top, right, bottom, letters, size }]
}
