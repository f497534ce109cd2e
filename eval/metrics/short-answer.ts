import { parseTime } from '../../src/core/time.ts'
import { coverage, findPhrase } from '../../src/text/word-similarity.ts'
import { isStopWord, type Token, tokens } from '../../src/text/words.ts'
import { abstains, momentsIn } from './answer-text.ts'

interface ShortAnswerGrade {
  score: number // 0, 1, or the share of the reference that is there
  rule: 'abstained' | 'time' | 'number' | 'yes or no' | 'same words' | 'holds' | 'partly' | 'other'
}

const slack = 3 // seconds that a moment may be off

// An answer against a short reference, without a model: numbers and times must be equal, words must be there in any order,
// spelling may slip. It knows no synonyms, so it is stricter than a person.
export function gradeShortAnswer(answer: string, reference: string, question = ''): ShortAnswerGrade {
  if (abstains({ text: answer })) return { score: Number(abstains({ text: reference })), rule: 'abstained' }
  const time = /^\s*\d{1,2}:\d{2}(?::\d{2})?\s*$/.test(reference) ? parseTime(reference.trim()) : undefined
  if (time !== undefined)
    return { score: Number(momentsIn(answer).some(said => Math.abs(said - time) <= slack)), rule: 'time' }
  const referenceTokens = selectContent(reference)
  const answerTokens = tokens(withoutTimes(answer))
  const leaning = readLeaning(tokens(reference))
  if (leaning !== undefined && referenceTokens.length <= 1)
    return { score: Number(readLeaning(answerTokens) === leaning), rule: 'yes or no' }
  const questionStems = new Set(tokens(question).map(token => token.stem))
  const numbers = referenceTokens.filter(token => isNumber(token) && !questionStems.has(token.stem))
  const missing = numbers.some(number => !answerTokens.some(token => token.text === number.text))
  if (missing) return { score: 0, rule: 'number' }
  // What the question holds already proves nothing. Where the reference has nothing else, it is a choice from the question's
  // own words, and an answer that repeats most of them has not chosen.
  const unaskedTokens = referenceTokens.filter(token => !questionStems.has(token.stem))
  if (unaskedTokens.length === 0 && !chooses(answerTokens, referenceTokens, questionStems))
    return { score: 0, rule: 'other' }
  if (findPhrase(tokens(reference), answerTokens, 0.9).length > 0) return { score: 1, rule: 'same words' }
  const share = coverage(unaskedTokens.length > 0 ? unaskedTokens : referenceTokens, answerTokens)
  if (share >= 0.8) return { score: 1, rule: 'holds' }
  return share >= 0.4 ? { score: share, rule: 'partly' } : { score: 0, rule: 'other' }
}

function chooses(said: readonly Token[], wanted: readonly Token[], asked: ReadonlySet<string>): boolean {
  const repeated = new Set(
    said.filter(token => asked.has(token.stem) && !isStopWord(token.text)).map(token => token.stem),
  )
  const right = new Set(wanted.map(token => token.stem))
  return [...repeated].filter(stem => right.has(stem)).length >= repeated.size / 2
}

function selectContent(text: string): Token[] {
  const all = tokens(text)
  const content = all.filter(token => !isStopWord(token.text))
  return content.length > 0 ? content : all
}

function isNumber(token: Token): boolean {
  return /^\d+(?:\.\d+)?$/.test(token.text)
}

function readLeaning(words: readonly Token[]): 'yes' | 'no' | undefined {
  const first = words[0]?.text
  if (first === 'yes' || first === 'no') return first
  return undefined
}

// The moments that an answer cites are no part of its words.
function withoutTimes(text: string): string {
  return text.replace(/\[\s*[\d:.]+(?:\s*[-–]\s*[\d:.]+)?\s*\]/g, ' ')
}
