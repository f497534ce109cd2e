import { byTime, type Evidence } from '../../src/core/evidence.ts'

const COMMON = new Set(
  'a an and are as at be been but by can could did do does for from had has have he her here him his how i if in into is it its just like me more my no not now of on one or our out over she so some than that the their them then there these they this to up us very was we were what when where which who will with would you your'.split(
    ' ',
  ),
)

// The lines that say most of what the span is about: words frequent in it and rare elsewhere weigh most.
export function centralLines(lines: Evidence[], all: Evidence[], count: number): Evidence[] {
  const weight = weights(lines, all)
  const score = (row: Evidence) => {
    const words = wordsOf(row.text)
    return words.length < 3
      ? 0
      : words.reduce((sum, word) => sum + (weight.get(word) ?? 0), 0) / Math.sqrt(words.length + 4)
  }
  return [...lines]
    .map(row => ({ row, score: score(row) }))
    .sort((a, b) => b.score - a.score || byTime(a.row, b.row))
    .slice(0, count)
    .map(({ row }) => row)
    .sort(byTime)
}

export function keywords(lines: Evidence[], all: Evidence[], count: number): string[] {
  return [...weights(lines, all)]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, count)
    .map(([word]) => word)
}

function weights(lines: Evidence[], all: Evidence[]): Map<string, number> {
  const everywhere = count(all)
  const here = count(lines)
  return new Map([...here].map(([word, times]) => [word, times / Math.sqrt(everywhere.get(word) ?? 1)]))
}

function count(rows: Evidence[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) for (const word of wordsOf(row.text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).filter(word => word.length > 2 && !COMMON.has(word))
}
