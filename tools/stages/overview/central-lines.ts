import { breather } from '../../../src/core/basics/signals.ts'
import { byTime, type Evidence } from '../../../src/core/evidence.ts'
import { unspacedLetters, wordsWithin } from '../../../src/text/unspaced.ts'

const COMMON = new Set(
  'a an and are as at be been but by can could did do does for from had has have he her here him his how i if in into is it its just like me more my no not now of on one or our out over she so some than that the their them then there these they this to up us very was we were what when where which who will with would you your'.split(
    ' ',
  ),
)

// The lines that say most of what the span is about: words frequent in it and rare elsewhere weigh most.
export async function centralLines(
  lines: readonly Evidence[],
  everywhere: WordCounts,
  count: number,
  signal?: AbortSignal,
): Promise<Evidence[]> {
  const weight = await weights(lines, everywhere, signal)
  const scored: { row: Evidence; score: number }[] = []
  const breathe = breather(signal)
  for (const row of lines) {
    const pause = breathe()
    if (pause) await pause
    scored.push({ row, score: scoreLine(splitWords(row.text), weight) })
  }
  return scored
    .sort((a, b) => b.score - a.score || byTime(a.row, b.row))
    .slice(0, count)
    .map(({ row }) => row)
    .sort(byTime)
}

function scoreLine(words: readonly string[], weight: WordCounts): number {
  if (words.length < 3) return 0
  return words.reduce((sum, word) => sum + (weight.get(word) ?? 0), 0) / Math.sqrt(words.length + 4)
}

export async function keywords(
  lines: readonly Evidence[],
  everywhere: WordCounts,
  count: number,
  signal?: AbortSignal,
): Promise<string[]> {
  return [...(await weights(lines, everywhere, signal))]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, count)
    .map(([word]) => word)
}

async function weights(
  lines: readonly Evidence[],
  everywhere: WordCounts,
  signal: AbortSignal | undefined,
): Promise<WordCounts> {
  const here = await countWords(lines, signal)
  return new Map([...here].map(([word, times]) => [word, times / Math.sqrt(everywhere.get(word) ?? 1)]))
}

// How often each word occurs in the rows.
export type WordCounts = ReadonlyMap<string, number>

export async function countWords(rows: Iterable<Evidence>, signal?: AbortSignal): Promise<WordCounts> {
  const counts = new Map<string, number>()
  const breathe = breather(signal)
  for (const row of rows) {
    const pause = breathe()
    if (pause) await pause
    add(counts, row)
  }
  return counts
}

function add(counts: Map<string, number>, row: Evidence): void {
  for (const word of splitWords(row.text)) counts.set(word, (counts.get(word) ?? 0) + 1)
}

// Words of scripts without spaces are short; elsewhere short words say nothing.
function splitWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}'][\p{L}\p{N}\p{M}']*/gu) ?? [])
    .flatMap(run => wordsWithin(run)?.map(word => word.text) ?? [run])
    .filter(word => (word.length > 2 || (word.length === 2 && unspacedLetters(word).length === 2)) && !COMMON.has(word))
}
