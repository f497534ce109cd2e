import type { Box } from '../../src/core/evidence.ts'
import type { TextLine } from '../../src/core/services.ts'
import { sharedArea } from '../pictures/boxes.ts'

// The lines that are text, in reading order. Of two that overlap, the surer and longer one is kept.
export function bestLines(lines: readonly TextLine[]): TextLine[] {
  const selected: TextLine[] = []
  const candidates = lines
    .map(withoutEdgeMarks)
    .filter(isPlausible)
    .sort((a, b) => worth(b) - worth(a))
  for (const line of candidates) if (!selected.some(other => covers(line, other) > 0.4)) selected.push(line)
  return inReadingOrder(selected, line => line.box)
}

// Rows from above, and from left to right within a row.
export function inReadingOrder<Line>(lines: readonly Line[], boxOf: (line: Line) => Box): Line[] {
  const rows: { line: Line; box: Box }[][] = []
  for (const placed of lines.map(line => ({ line, box: boxOf(line) })).sort((a, b) => a.box.y - b.box.y)) {
    const row = rows.find(([first]) => first && sameRow(first.box, placed.box))
    if (row) row.push(placed)
    else rows.push([placed])
  }
  return rows.flatMap(row => row.sort((a, b) => a.box.x - b.box.x).map(({ line }) => line))
}

// Texture is read as stray marks, single letters, and little that is a letter or digit.
function isPlausible({ text, confidence }: TextLine): boolean {
  const letters = text.match(/[\p{L}\p{N}\p{M}]/gu)?.length ?? 0
  const marks = text.replace(/\s/g, '').length
  if (letters < 2 || letters / marks < 0.6) return false
  const words = text.split(' ')
  if (words.length > 2 && words.filter(word => word.length <= 1).length > words.length / 2) return false
  if (letters <= 3) return confidence >= 0.85
  return confidence >= (letters >= 6 ? 0.6 : 0.68)
}

// Drops what frames and edges are read as: "STATION SQUARE |", "(The train".
function withoutEdgeMarks(line: TextLine): TextLine {
  const words = [...line.text.matchAll(/\S+/g)]
  const isWord = ([word]: RegExpMatchArray) => /[^|\\/_~=—–-]/.test(word)
  const last = words.findLast(isWord)
  const plain = line.text.slice(words.find(isWord)?.index ?? 0, last ? last.index + last[0].length : undefined).trim()
  return {
    ...line,
    text: plain
      .replace(/^[([{](?=[^)\]}]*$)/, '')
      .replace(/(?<=^[^([{]*)[)\]}]$/, '')
      .trim(),
  }
}

function worth({ text, confidence }: TextLine): number {
  return confidence * Math.log2(2 + text.length)
}

// The share of the smaller box that both cover.
function covers({ box: a }: TextLine, { box: b }: TextLine): number {
  return sharedArea(a, b) / Math.max(1e-9, Math.min(a.width * a.height, b.width * b.height))
}

function sameRow(a: Box, b: Box): boolean {
  return Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < Math.min(a.height, b.height) / 2
}
