import type { Word } from '../../src/core/evidence.ts'

// The words in what "pocketsphinx_continuous -time yes" prints: lines of a word, its start, its end and its confidence.
// Silence, noise and sentence marks are no words; "read(2)" is the second way to say "read".
export function sphinxWords(output: string): Word[] {
  return output.split('\n').flatMap(line => {
    const match = /^(\S+) (\d+\.\d{3}) (\d+\.\d{3}) (\d\.\d{6})$/.exec(line)
    if (!match || /^(<.*>|\[.*\]|\+\+.*\+\+)$/.test(match[1]!)) return []
    const text = match[1]!.replace(/\(\d+\)$/, '')
    return [{ text, start: Number(match[2]), end: Number(match[3]), confidence: Math.min(1, Number(match[4])) }]
  })
}
