import type { MultiByte, SingleByte } from './candidates.ts'

// How well a text reads when decoded so, about -3 to 1: its letters are those of one language, its words are of one script, and no
// sign stands where only letters do.
export function scoreSingleByte(text: string, { languages, script }: SingleByte): number {
  const beyond = text.match(/[^\0-\x7f]/g) ?? []
  if (beyond.length === 0) return 0
  const best = Math.max(...languages.map(letters => lettersScore(beyond, letters, script !== undefined)))
  return best - faults(text, script) / beyond.length
}

function lettersScore(beyond: string[], letters: string, whole: boolean): number {
  let sum = 0
  for (const char of beyond) {
    if (quotes.test(char)) sum += 0.3
    else if (!/[\p{L}\p{M}]/u.test(char)) sum += letters.includes(char) ? 1 : -0.5
    else if (marks.test(char)) sum += 0.7
    else {
      const at = letters.indexOf(char.toLowerCase())
      const capital = char !== char.toLowerCase() ? 0.92 : 1
      if (at < 0) sum -= 0.5
      else sum += capital * (1 - ((whole ? 0.7 : 0.3) * at) / letters.length)
    }
  }
  return sum / beyond.length
}

// Signs that stand in the same place of most code pages.
const quotes = /[\u00a0\u2013\u2014\u2018-\u201e\u2026\u2039\u203a«»–—…€№°]/
const marks = /\p{M}|[\u0e30-\u0e3a\u0e40-\u0e4e]/u

function faults(text: string, script: RegExp | undefined): number {
  let found = 3 * count(text, /[\ufffd\u0080-\u009f\ue000-\uf8ff]/g)
  found += count(text, /\p{Ll}\p{Lu}/gu) // "пРИВЕТ"
  found += count(text, /\p{L}[^\p{L}\p{M}\p{N}\p{P}\s\0-\x7f]+(?=\p{L})/gu) // "G¼ste"
  found += count(text, /\p{L}[«»¿¡“”„]\p{L}/gu)
  if (!script) return found
  const own = script.source
  found += count(text, new RegExp(`[a-zA-Z](?=${own})|${own}(?=[a-zA-Z])`, 'gu'))
  if (script.test('ก'))
    found += count(text, /(?<![\u0e01-\u0e4e])[\u0e30-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/g)
  return found
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

// The same for encodings with several bytes a letter; `certainty` is what chardet says, 0 to 1.
export function scoreMultiByte(text: string, { frequent }: MultiByte, certainty: number): number {
  const beyond = text.match(/[^\0-\x7f]/gu) ?? []
  if (beyond.length === 0) return 0
  const known = beyond.filter(char => frequent.test(char)).length / beyond.length
  const broken = count(text, /[\ufffd\u0080-\u009f\ue000-\uf8ff\uff61-\uff9f]/g) / beyond.length
  return Math.min(1, Math.max(certainty, 2 * known)) - 3 * broken
}
