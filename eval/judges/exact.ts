import type { Judge } from '../../src/core/benchmark.ts'
import { tokens } from '../../src/text/words.ts'
import { namedIntervals } from '../benchmarks/cg-bench/reply.ts'
import { mostIntervals } from '../benchmarks/cg-bench/score.ts'
import { abstains } from '../benchmarks/needle/meets.ts'
import { readChoice } from '../metrics/choice/read-choice.ts'
import { type Interval, intervalIoU, soundIntervals } from '../metrics/intervals.ts'

// Judges that need no model. Each gives null only where the sample holds nothing to judge by.

export const choiceJudge: Judge = {
  name: 'choice',
  async grade({ question, choice }, answer) {
    const texts = question.options ?? []
    const { letter, rule } = readChoice(answer, { count: texts.length, texts })
    if (choice === undefined) return { score: null, raw: null, rule: 'the sample has no right option' }
    return { score: Number(letter?.charCodeAt(0) === 65 + choice), raw: null, rule }
  },
}

// IoU of the intervals that an answer names, as JSON or as pairs of numbers, with the clues.
export const intervalJudge: Judge = {
  name: 'intervals',
  async grade({ clues }, answer) {
    if (!clues || clues.length === 0) return { score: null, raw: null, rule: 'the sample has no clue intervals' }
    const truth = clues.map(({ start, end }): Interval => [start, end])
    const named = soundIntervals(namedIntervals(answer) ?? [], {
      duration: Number.POSITIVE_INFINITY,
      most: mostIntervals,
    })
    return { score: intervalIoU(named, truth), raw: null, rule: named.length === 0 ? 'no interval' : 'intervals' }
  },
}

// The first number that the question does not hold already.
export const numberJudge: Judge = {
  name: 'number',
  async grade({ question, reference = '' }, answer) {
    const [right] = numbersIn(reference)
    if (right === undefined) return { score: null, raw: null, rule: 'the reference holds no number' }
    const asked = numbersIn(question.text)
    const [said] = numbersIn(answer).filter(number => number === right || !asked.includes(number))
    return { score: Number(said === right), raw: null, rule: said === undefined ? 'no number' : 'number' }
  },
}

// Whether an answer declines exactly where the reference does.
export const abstentionJudge: Judge = {
  name: 'abstention',
  async grade({ reference = '' }, answer) {
    const should = abstains({ text: reference })
    const does = abstains({ text: answer })
    return { score: Number(should === does), raw: null, rule: does ? 'declines' : 'answers' }
  },
}

function numbersIn(text: string): number[] {
  return tokens(text)
    .map(token => Number(token.text))
    .filter(Number.isFinite)
}
