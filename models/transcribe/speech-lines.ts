import type { Finding, Word } from '../../src/core/evidence.ts'

const pause = 0.6 // a silence of this many seconds between two words ends a line
const longest = 12 // seconds of one line

// Words to lines of about a sentence: a line ends at a pause, and one that is too long at the longest pause within it.
export function speechLines(words: readonly Word[]): Finding[] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)?.at(-1)
    if (last && word.start - last.end <= pause) lines.at(-1)?.push(word)
    else lines.push([word])
  }
  return lines.flatMap(shortened).map(finding)
}

function shortened(words: Word[]): Word[][] {
  if (words[words.length - 1]!.end - words[0]!.start <= longest || words.length < 2) return [words]
  const at = longestPause(words)
  return [...shortened(words.slice(0, at)), ...shortened(words.slice(at))]
}

// The word before which the longest pause lies; of equal ones that nearest to the middle, so that no line is one word.
function longestPause(words: Word[]): number {
  const middle = (words[0]!.start + words[words.length - 1]!.end) / 2
  let best = 1
  const worth = (at: number) => {
    const gap = words[at]!.start - words[at - 1]!.end
    return gap - Math.abs(words[at]!.start - middle) / 100
  }
  for (let at = 2; at < words.length; at++) if (worth(at) > worth(best)) best = at
  return best
}

function finding(words: Word[]): Finding {
  const measured = words.flatMap(word => word.confidence ?? [])
  const sure = measured.reduce((sum, value) => sum + value, 0) / measured.length
  return {
    span: { start: words[0]!.start, end: words[words.length - 1]!.end },
    track: 'speech',
    text: words.map(word => word.text).join(' '),
    words,
    ...(measured.length > 0 ? { confidence: Math.round(sure * 1000) / 1000 } : {}),
  }
}
