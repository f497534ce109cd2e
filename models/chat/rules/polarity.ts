import { parseTopic } from '../../../src/text/question/topic.ts'
import { coverage } from '../../../src/text/word-similarity.ts'
import { stem, tokens } from '../../../src/text/words.ts'

const negative =
  /\b(not|no|never|n't|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|won't|can't|cannot|without|except|excluding|none|nobody|isnt|arent|wasnt|doesnt|dont|didnt|wont|cant)\b/i

const opposites = [
  ['open', 'closed'],
  ['on', 'off'],
  ['win', 'lose'],
  ['increase', 'decrease'],
  ['rise', 'fall'],
  ['up', 'down'],
  ['left', 'right'],
  ['hot', 'cold'],
  ['big', 'small'],
  ['allowed', 'forbidden'],
  ['safe', 'dangerous'],
  ['alive', 'dead'],
  ['early', 'late'],
  ['cheap', 'expensive'],
  ['full', 'empty'],
  ['married', 'single'],
  ['true', 'false'],
  ['more', 'less'],
  ['before', 'after'],
  ['old', 'new'],
] as const

// Whether a line answers a yes-or-no question with yes or with no.
export function polarity(question: string, line: string): 'yes' | 'no' | 'unclear' {
  const questionTokens = tokens(question)
  const scatteredMatch = scattered(question, line)
  if (scatteredMatch !== undefined) return negative.test(scatteredMatch) && !negative.test(question) ? 'no' : 'unclear'
  const lineTokens = tokens(line)
  const flipped = negative.test(line) !== negative.test(question)
  const has = (list: typeof questionTokens, word: string) => list.some(token => token.stem === stem(word))
  const opposite = opposites.some(
    ([a, b]) =>
      (has(questionTokens, a) && has(lineTokens, b) && !has(lineTokens, a) && !has(questionTokens, b)) ||
      (has(questionTokens, b) && has(lineTokens, a) && !has(lineTokens, b) && !has(questionTokens, a)),
  )
  const numbers = questionTokens.filter(token => /^\d/.test(token.text))
  const lineNumbers = lineTokens.filter(token => /^\d/.test(token.text))
  const otherNumber =
    numbers.length > 0 &&
    lineNumbers.length > 0 &&
    !numbers.some(number => lineNumbers.some(other => other.text === number.text))
  if (numbers.length > 0 && lineNumbers.length === 0) return 'unclear'
  return flipped !== (opposite || otherNumber) ? 'no' : 'yes'
}

// The words of a question may be spread over several statements: "basalt is dark, pumice is light". Returns the best
// part.
function scattered(question: string, line: string): string | undefined {
  const terms = parseTopic(question).terms
  const parts = line.split(/[,;.!?\n]|\bbut\b|\bwhile\b|\bwhereas\b/i).filter(part => tokens(part).length > 2)
  if (terms.length < 2 || parts.length < 2) return undefined
  const [best] = parts.map(part => ({ part, share: coverage(terms, part) })).sort((a, b) => b.share - a.share)
  return best && best.share < coverage(terms, line) - 0.25 ? best.part : undefined
}
