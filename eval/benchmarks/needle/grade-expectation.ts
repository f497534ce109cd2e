import { findPhrase } from '../../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../../src/text/words.ts'
import { abstains, clock, momentsIn } from '../../metrics/answer-text.ts'
import type { Expectation } from './record.ts'

interface GivenAnswer {
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
      return Number(
        named && !givesRival(given, expect.rivals, expect.groups) && !takesAll(given, expect.rivals, expect.groups),
      )
    }
    case 'which': {
      const chosen = chosenWords(withoutTimes(text), expect)
      const [right, other] = [chosen.indexOf('right'), chosen.indexOf('other')]
      const isFirst = right >= 0 && (other < 0 || right < other) && !namesOther(given, expect)
      return Number(!abstains(given) && isFirst && !givesRival(given, expect.rivals, [expect.right]))
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
      return Number(places.every((place, i) => place > (places[i - 1] ?? -1)))
    }
    case 'share': {
      const share = expect.parts.filter(names => names.some(name => says(text, name))).length / expect.parts.length
      return share >= expect.least ? share : 0
    }
    case 'abstain':
      return Number(abstains(given) && !givesRival(given, expect.rivals, []))
    case 'unsaid':
      return Number(
        !givesRival(given, expect.rivals, expect.right ?? []) && !takesAll(given, expect.rivals, expect.right ?? []),
      )
  }
}

// All words of the phrase, one after another; a letter may be misread or misheard.
export function says(text: string, phrase: string): boolean {
  const words = tokens(phrase)
  return words.length > 0 && findPhrase(words, tokens(withoutTimes(text)), 0.85).length > 0
}

// Whether a rival is given as the answer, alone or beside the right one. A sentence of its own about something else, quoted with
// the answer, gives none: "The doctor found a ring. The farmer found a camera." is a right answer about the doctor.
function givesRival({ text, question = '' }: GivenAnswer, rivals: readonly string[], right: string[][]): boolean {
  const named = rivals.filter(rival => says(text, rival) && !says(question, rival))
  return named.some(rival =>
    splitSentences(text)
      .filter(sentence => says(sentence, rival))
      .some(sentence => right.flat().some(phrase => says(sentence, phrase)) || !isAboutElse(sentence, rival, question)),
  )
}

// Whether the answer takes what is right together with others that the question offers beside it.
function takesAll(given: GivenAnswer, rivals: readonly string[], groups: string[][]): boolean {
  const { text, question = '' } = given
  const otherRivals = rivals.filter(rival => says(question, rival))
  const right = groups.flat().filter(phrase => says(question, phrase) && says(text, phrase))
  if (otherRivals.length === 0 || right.length === 0) return false
  const offered = { right, others: otherRivals }
  return !chosenWords(withoutTimes(text), offered).includes('right') || namesOther(given, offered)
}

// Whether a clause of its own gives one of the others, as in "Oslo is named. Rome is named."
function namesOther({ text, question = '' }: GivenAnswer, offered: Offered): boolean {
  return clausesFor(withoutTimes(text), offered).some(
    clause => !isAboutElse(clause, offered.others.join(' '), question),
  )
}

function splitSentences(text: string): string[] {
  return withoutTimes(text).split(/(?<=[.!?]["'”’)]?)\s+|\n+/)
}

// Words that only carry an answer, or hedge it.
const idle = new Set([
  ...['video', 'say', 'said', 'show', 'shown', 'mention', 'see', 'seen', 'hear', 'heard', 'answer'],
  ...['maybe', 'perhaps', 'possibly', 'probably', 'likely', 'also', 'either', 'alternatively', 'instead'],
  ...['think', 'guess', 'right', 'correct', 'wrong', 'sure'],
])

// Whether the sentence speaks of something that neither the question nor the rival names.
function isAboutElse(sentence: string, rival: string, question: string): boolean {
  const knownStems = new Set([...tokens(rival), ...tokens(question)].map(token => token.stem))
  return tokens(sentence).some(
    ({ text, stem }) => !isStopWord(text) && !idle.has(text) && !idle.has(stem) && !knownStems.has(stem),
  )
}

function firstPlace(text: string, names: readonly string[]): number {
  const line = tokens(withoutTimes(text))
  const places = names.flatMap(name => findPhrase(tokens(name), line, 0.85).map(({ from }) => from))
  return places.length > 0 ? Math.min(...places) : -1
}

function firstNumber({ text, question = '' }: GivenAnswer, beside: readonly number[]): number | undefined {
  const knownNumbers = new Set([...numbersIn(question), ...beside])
  return numbersIn(withoutTimes(text)).find(number => !knownNumbers.has(number))
}

const repeats = ['once', 'twice', 'thrice']

function numbersIn(text: string): number[] {
  const plain = text.replace(/\b(once|twice|thrice)\b/gi, word => String(repeats.indexOf(word.toLowerCase()) + 1))
  return tokens(plain)
    .map(token => token.text)
    .filter(word => /^\d+(\.\d+)?$/.test(word))
    .map(Number)
}

function withoutTimes(text: string): string {
  return text
    .replace(new RegExp(String.raw`\[\s*${clock}(?:\s*[-–]\s*${clock})?\s*\]`, 'g'), ' ')
    .replace(new RegExp(clock, 'g'), ' ')
    .replace(/\b\d+(?:\.\d+)?\s*(?:s|sec|seconds)\b/gi, ' ')
}

// A question may offer what is right beside what is wrong: whoever answers with both has not answered it.
interface Offered {
  right: readonly string[]
  others: readonly string[]
}

type Word = 'right' | 'other' | 'link' | 'else'

// What the words of an answer name, clause by clause. Names that are only listed beside each other make no choice: of "Oslo or Rome? Oslo."
// the last one counts, and of "Oslo and Rome." none.
function chosenWords(text: string, offered: Offered): Word[] {
  return splitClauses(text).flatMap(clause => {
    const words = classifyWords(clause, offered)
    return refuses(clause)
      ? words
      : splitRuns(words).flatMap(run => (isChoice(run) ? run.map(() => 'else' as const) : run))
  })
}

// The clauses that name one of the others, without what is right and without saying that it is not meant.
function clausesFor(text: string, offered: Offered): string[] {
  return splitClauses(text).filter(clause => {
    const words = classifyWords(clause, offered)
    return words.includes('other') && !words.includes('right') && !refuses(clause)
  })
}

function splitClauses(text: string): string[] {
  return text.split(/(?<=[.!?]["'”’)]?)\s+|\n+|[;:–—]\s*/).filter(clause => clause.trim() !== '')
}

const links = new Set(['and', 'or', 'also', 'as', 'well', 'plus', 'either', 'maybe', 'perhaps'])

function classifyWords(clause: string, { right, others }: Offered): Word[] {
  const line = tokens(clause)
  const words = line.map(({ text }): Word => (links.has(text) ? 'link' : 'else'))
  const name = (names: readonly string[], as: Word) => {
    for (const offeredName of names)
      for (const { from, to } of findPhrase(tokens(offeredName), line, 0.85)) words.fill(as, from, to + 1)
  }
  name(others, 'other')
  name(right, 'right')
  return words
}

// Names that stand beside each other or are linked are one run; every other word is a run of its own.
function splitRuns(words: readonly Word[]): Word[][] {
  const runs: Word[][] = []
  for (const [at, word] of words.entries()) {
    const goesOn = word !== 'else' && at > 0 && words[at - 1] !== 'else'
    if (goesOn) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs
}

function isChoice(run: readonly Word[]): boolean {
  return run.includes('right') && run.includes('other')
}

const refusals = new Set([
  ...['not', 'no', 'nor', 'neither', 'none', 'never', 'only', 'without', 'cannot', 'unlike', 'except'],
  ...['less', 'fewer', 'rather', 'instead', 'than', 'but'],
  ...['then', 'later', 'after', 'afterwards', 'second', 'next', 'follows', 'before'],
])

// Not the other one, less of it, or later.
function refuses(clause: string): boolean {
  return /n['’]t\b/i.test(clause) || tokens(clause).some(({ text }) => refusals.has(text))
}
