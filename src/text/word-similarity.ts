import { editDistance } from '../core/errors.ts'
import { isStopWord, type Token, tokens } from './words.ts'

const judged = new Map<string, number>()
const maxJudged = 300_000 // pairs of words

// How surely two words are the same one, 0..1. Recognised speech and text are noisy, so spelling and sound may differ a
// little; numbers must be equal.
export function wordSimilarity(a: Token, b: Token): number {
  if (a.stem === b.stem) return 1
  const key = a.text < b.text ? `${a.text} ${b.text}` : `${b.text} ${a.text}`
  const before = judged.get(key)
  if (before !== undefined) return before
  if (judged.size >= maxJudged) judged.clear()
  const score = compare(a, b)
  judged.set(key, score)
  return score
}

function compare(a: Token, b: Token): number {
  if (isStopWord(a.text) || isStopWord(b.text)) return areHomophones(a.text, b.text) ? 0.7 : 0
  if (/\d/.test(a.stem) || /\d/.test(b.stem)) {
    const bothNumbers = /^\d+$/.test(a.stem) && /^\d+$/.test(b.stem)
    return !bothNumbers && looksLikeDigits(a.stem) === looksLikeDigits(b.stem) ? 0.8 : 0
  }
  if (a.stem.length < 3 || b.stem.length < 3) return 0
  const [short, long] = a.stem.length < b.stem.length ? [a.stem, b.stem] : [b.stem, a.stem]
  if (long.length - short.length > 4) return 0
  if (short.length === 4 && long.startsWith(short) && /^(er|or|ing|ed|es|ly|y)$/.test(long.slice(4))) return 0.75
  if (short.length >= 5 && long.startsWith(short) && short.length / long.length >= 0.6) return 0.75
  if (sharedStart(short, long) >= 5 && long.length <= sharedStart(short, long) + 4) return 0.65
  if (long.length - short.length > 2) return 0
  const sound = short.length >= 4 && phoneticCode(short) === phoneticCode(long)
  const distance = editDistance(short, long)
  if (distance === 1 && long.length >= 7) return sound ? 0.9 : 0.8
  if (distance === 1 && long.length >= 5) return sound ? 0.85 : short[0] === long[0] ? 0.6 : 0.4
  if (distance === 2 && long.length >= 8) return sound ? 0.85 : 0.7
  if (readsAlike(a.text, b.text)) return 0.85
  if (sound && distance <= (short.length >= 6 ? 3 : 1)) return 0.75
  return distance === 1 && long.length === 4 ? 0.4 : 0
}

// Short words that recognisers take for one another only by their sound.
const homophones =
  'by buy bye, to too, no know, our hour, there their, here hear, in inn, some sum, would wood, not knot, where wear, so sew, or oar, which witch, be bee, for fore'
    .split(', ')
    .map(group => group.split(' '))

function areHomophones(a: string, b: string): boolean {
  return homophones.some(group => group.includes(a) && group.includes(b))
}

// The best likeness of a word within a line, also where it was torn in two or has run into its neighbour.
export function findWord(term: Token, line: readonly Token[]): { score: number; at: number } {
  let best = { score: 0, at: -1 }
  for (const [at, word] of line.entries()) {
    const score = wordSimilarity(term, word)
    if (score > best.score) best = { score, at }
    if (best.score === 1) break
    if (best.score < 0.7 && term.text.length >= 5 && word.text.includes(term.text)) best = { score: 0.7, at }
    const next = line[at + 1]
    if (next && best.score < 0.9 && term.text.length >= 6 && word.text + next.text === term.text)
      best = { score: 0.9, at }
  }
  return best
}

// Where all the words of a phrase stand one after another, as ranges of words; small words between may be missing.
export function findPhrase(
  phrase: readonly Token[],
  line: readonly Token[],
  minScore = 0.7,
): { from: number; to: number }[] {
  const [first] = phrase
  if (!first) return []
  const runs: { from: number; to: number }[] = []
  const weights = phrase.map(term => (isStopWord(term.text) ? 0.3 : 1))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  for (let from = 0; from < line.length; from++) {
    if (wordSimilarity(first, line[from]!) < 0.4) continue
    let at = from
    let score = 0
    let missed = 0
    for (const [i, term] of phrase.entries()) {
      const weight = weights[i]!
      const [word, next] = [line[at], line[at + 1]]
      const here = word ? wordSimilarity(term, word) : 0
      const later = next && i > 0 ? wordSimilarity(term, next) : 0
      if (here >= 0.6 || here >= later) {
        score += here * weight
        if (here < 0.4) missed += weight
        if (here >= 0.4 || line.length - at > phrase.length - i) at++
      } else {
        score += later * weight
        at += 2
      }
    }
    if (score / whole >= minScore && missed <= whole / 4) {
      runs.push({ from, to: Math.max(from, at - 1) })
      from = Math.max(from, at - 1)
    }
  }
  return runs
}

// What share of the words is in the text, 0..1, each by its weight (longer words and numbers say more).
export function coverage(terms: readonly Token[], text: string | readonly Token[]): number {
  if (terms.length === 0) return 0
  const line = typeof text === 'string' ? tokens(text) : text
  let reached = 0
  let whole = 0
  for (const term of terms) {
    const weight = weighTerm(term)
    whole += weight
    const { score } = findWord(term, line)
    reached += score >= 0.6 ? weight * score : 0
  }
  return reached / whole
}

export function weighTerm(term: Token): number {
  return /\d/.test(term.text) ? 1.2 : Math.min(1.4, 0.6 + term.text.length * 0.1)
}

// A rough key of how an English word sounds: "knight" and "night", "Eliza" and "Elisa" share one.
export function phoneticCode(word: string): string {
  const spelled = word
    .replace(/^(kn|gn|pn)/, 'n')
    .replace(/^wr/, 'r')
    .replace(/^ps/, 's')
    .replace(/^wh/, 'w')
    .replace(/mb$/, 'm')
    .replace(/ght/g, 't')
    .replace(/gh/g, '')
    .replace(/ph/g, 'f')
    .replace(/tch|ch|sh|ti(?=o)|si(?=o)/g, 'X')
    .replace(/th/g, '0')
    .replace(/ck|q/g, 'k')
    .replace(/dg(?=[eiy])/g, 'j')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/g(?=[eiy])/g, 'j')
    .replace(/c/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/z/g, 's')
  const first = /^[aeiouy]/.test(spelled) ? 'A' : spelled[0]
  const rest = spelled.slice(1).replace(/[aeiouyhw]/g, '')
  return (first + rest).replace(/(.)\1+/g, '$1')
}

// "explode" and "explosion", "volcano" and "volcanic".
function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

// Letters that readers of print take for one another: "nurnber" and "number".
function readsAlike(a: string, b: string): boolean {
  return reduceShape(a) === reduceShape(b)
}

function reduceShape(word: string): string {
  return word
    .replace(/rn/g, 'm')
    .replace(/cl/g, 'd')
    .replace(/vv/g, 'w')
    .replace(/[i1|!]/g, 'l')
    .replace(/0/g, 'o')
}

function looksLikeDigits(word: string): string {
  return word.replace(/[o]/g, '0').replace(/[il|]/g, '1').replace(/s/g, '5').replace(/b/g, '8')
}

// 0..1: how near a phrase comes in sound to any stretch of a line, for words that a recogniser took apart.
export function soundsLike(phrase: string, line: readonly Token[]): number {
  const phraseCode = phoneticCode(phrase.toLowerCase().replace(/[^a-z]/g, ''))
  if (phraseCode.length < 2) return 0
  let best = 0
  for (let from = 0; from < line.length; from++) {
    let run = ''
    for (let to = from; to < Math.min(line.length, from + 4); to++) {
      run += line[to]!.text.replace(/[^a-z]/g, '')
      if (run === '') continue
      const heard = phoneticCode(run)
      if (heard.length > phraseCode.length + 2) break
      best = Math.max(best, 1 - editDistance(phraseCode, heard) / Math.max(phraseCode.length, heard.length))
    }
  }
  return best
}
