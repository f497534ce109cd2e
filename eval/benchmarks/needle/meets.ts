import { findPhrase } from '../../../src/core/alike.ts'
import { parseTime } from '../../../src/core/time.ts'
import { tokens } from '../../../src/core/words.ts'
import type { Expectation } from './expectation.ts'

export interface GivenAnswer {
  text: string
  question?: string // words that it holds already prove nothing
  abstained?: boolean
}

// How far an answer fulfils an expectation, 0..1: always 0 or 1 except for a share. Times in brackets are no part of the words.
export function meets(expect: Expectation, given: GivenAnswer): number {
  const { text } = given
  switch (expect.form) {
    case 'words': {
      if (abstains(given)) return 0
      const named = expect.groups.every(group => group.some(phrase => says(text, phrase)))
      return Number(named && !expect.rivals.some(rival => namesRival(given, rival)))
    }
    case 'number':
      return Number(!abstains(given) && firstNumber(given, expect.beside ?? []) === expect.value)
    case 'moment': {
      const [first] = momentsIn(text)
      if (first === undefined) return 0
      const { slack } = expect
      return Number(expect.spans.some(({ start, end }) => first >= start - slack && first <= end + slack))
    }
    case 'order': {
      const places = expect.items.map(names => firstPlace(text, names))
      return Number(places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1])))
    }
    case 'share': {
      const share = expect.parts.filter(names => names.some(name => says(text, name))).length / expect.parts.length
      return share >= expect.least ? share : 0
    }
    case 'abstain':
      return Number(abstains(given) && !expect.rivals.some(rival => namesRival(given, rival)))
    case 'unsaid':
      return Number(!expect.rivals.some(rival => namesRival(given, rival)))
  }
}

const declines =
  /\b(?:(?:does|do|did|is|are|was|were|could|can|has|have)(?:n't| not)\b[^.]{0,40}\b(?:say|said|mention\w*|show\w*|tell|told|state\w*|contain\w*|found|find|seen|heard|given|determine\w*|answer\w*|appear\w*|specif\w*|in the video)|not in the video|nothing (?:in the video|is said|was found|about)|no (?:mention|information|evidence)|unknown|cannot be (?:told|known|answered|determined))\b/i

export function abstains({ text, abstained }: GivenAnswer): boolean {
  return abstained === true || text.trim() === '' || declines.test(text)
}

// All words of the phrase, one after another; a letter may be misread or misheard.
export function says(text: string, phrase: string): boolean {
  const words = tokens(phrase)
  return words.length > 0 && findPhrase(words, tokens(withoutTimes(text)), 0.85).length > 0
}

function namesRival({ text, question }: GivenAnswer, rival: string): boolean {
  return says(text, rival) && !(question && says(question, rival))
}

function firstPlace(text: string, names: readonly string[]): number {
  const line = tokens(withoutTimes(text))
  const places = names.flatMap(name => findPhrase(tokens(name), line, 0.85).map(({ from }) => from))
  return places.length > 0 ? Math.min(...places) : -1
}

function firstNumber({ text, question = '' }: GivenAnswer, beside: readonly number[]): number | undefined {
  const known = new Set([...numbersIn(question), ...beside])
  return numbersIn(withoutTimes(text)).find(number => !known.has(number))
}

const repeats: Record<string, string> = { once: '1', twice: '2', thrice: '3' }

function numbersIn(text: string): number[] {
  const plain = text.replace(/\b(once|twice|thrice)\b/gi, word => repeats[word.toLowerCase()])
  return tokens(plain)
    .map(token => token.text)
    .filter(word => /^\d+(\.\d+)?$/.test(word))
    .map(Number)
}

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?`

function withoutTimes(text: string): string {
  return text
    .replace(new RegExp(String.raw`\[\s*${clock}(?:\s*[-–]\s*${clock})?\s*\]`, 'g'), ' ')
    .replace(new RegExp(clock, 'g'), ' ')
    .replace(/\b\d+(?:\.\d+)?\s*(?:s|sec|seconds)\b/gi, ' ')
}

// The moments that a text names, in seconds, in its order: "1:24", or where no clock time is given "84 s", "1 minute 24 seconds".
export function momentsIn(text: string): number[] {
  const clocks = [...text.matchAll(new RegExp(clock, 'g'))].flatMap(([time]) => parseTime(time) ?? [])
  if (clocks.length > 0) return clocks
  const spelled =
    /(\d+)\s*(?:m|min|minutes?)\b(?:\s*(?:and\s*)?(\d+)\s*(?:s|sec|seconds?)\b)?|(\d+(?:\.\d+)?)\s*(?:s|sec|seconds?)\b/gi
  return [...text.matchAll(spelled)].map(([, minutes, rest, seconds]) =>
    minutes ? Number(minutes) * 60 + Number(rest ?? 0) : Number(seconds),
  )
}
