import { dictionary } from '../dictionary.ts'
import { maxInput, mutateBytes } from './bytes.ts'
import type { Draw } from './draw.ts'

// Changes to text: words of the format put in, lines moved, a piece repeated very often, odd characters; now and then raw bytes.
export function mutateText(input: Buffer, draw: Draw, other: Buffer, words: readonly string[]): Buffer {
  if (draw.chance(0.15)) return mutateBytes(input, draw, other, words)
  let text = input.toString('utf8')
  for (let changesLeft = 1 + draw.below(4); changesLeft > 0; changesLeft--)
    text = change(text, draw, other.toString('utf8'), words)
  return Buffer.from(text).subarray(0, maxInput)
}

function change(text: string, draw: Draw, other: string, words: readonly string[]): string {
  const at = draw.below(text.length + 1)
  const length = draw.below(draw.of([4, 16, 64, 256]))
  const piece = text.slice(at, at + length)
  switch (draw.below(9)) {
    case 0:
    case 1:
      return text.slice(0, at) + draw.of(words) + text.slice(at)
    case 2:
      return text.slice(0, at) + draw.of(dictionary.oddities) + text.slice(at)
    case 3:
      return text.slice(0, at) + text.slice(at + length)
    case 4:
      return text.slice(0, at) + repeated(piece || draw.of(words), draw) + text.slice(at)
    case 5:
      return text.slice(0, at) + repeated(draw.of([...dictionary.oddities, ...words]), draw) + text.slice(at)
    case 6:
      return withLines(text, draw)
    case 7:
      return text.slice(0, at) + other.slice(draw.below(other.length + 1))
    default:
      return text.slice(0, at)
  }
}

function repeated(piece: string, draw: Draw): string {
  const max = Math.floor(maxInput / 2 / Math.max(1, piece.length))
  return piece.repeat(Math.min(max, draw.of([2, 3, 10, 100, 30_000])))
}

function withLines(text: string, draw: Draw): string {
  const lines = text.split('\n')
  const [from, to] = [draw.below(lines.length), draw.below(lines.length)]
  const [moved = '', other = ''] = [lines[from], lines[to]]
  if (draw.chance(0.5)) [lines[from], lines[to]] = [other, moved]
  else lines.splice(to, 0, moved)
  return lines.join('\n')
}
