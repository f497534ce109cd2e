import { describe, expect, test } from 'vitest'
import type { OptionVerdict, Sentence, Step } from '../src/core/agent.ts'
import { stamp } from '../src/core/evidence.ts'
import { openAspects } from '../src/text/question/aspects.ts'
import { chosenByVerdict, findClues, verdictByWords } from '../src/text/question/clues.ts'
import search from '../tools/search.ts'
import { clueCalls } from './policies/hypothesis-clue-verdict.ts'
import { emptyRounds, isStuck, noveltyHint } from './policies/novelty-guard.ts'

describe('the novelty guard', () => {
  const step = (round: number, outcome: Step['outcome'], evidence: string[] = []): Step => ({
    round,
    tool: 'search',
    input: {},
    outcome,
    evidence,
    notes: [],
    seconds: 0,
  })

  test('counts rounds without anything new up to now', () => {
    expect(emptyRounds([step(0, 'found', ['a']), step(1, 'nothing'), step(2, 'repeated', ['a'])], 3)).toBe(2)
    expect(emptyRounds([step(0, 'nothing'), step(1, 'found', ['a'])], 2)).toBe(0)
  })

  test('other words that bring the same rows bring nothing new', () => {
    expect(emptyRounds([step(0, 'found', ['a', 'b']), step(1, 'found', ['b'])], 2)).toBe(1)
  })

  test('says something else at each rung, and gives up after the last', () => {
    const steps = [0, 1, 2, 3].map(round => step(round, 'nothing'))
    const hints = [1, 2, 3].map(round => noveltyHint(steps, round))
    expect(new Set(hints).size).toBe(3)
    expect(noveltyHint([], 0)).toBeUndefined()
    expect(isStuck(steps, 3)).toBe(false)
    expect(isStuck(steps, 4)).toBe(true)
  })
})

test('a part is open while no sentence that held speaks of what only it asks', () => {
  const held: Sentence[] = [{ text: 'The password is blue falcon.', cites: ['s1'], verdict: 'supported' }]
  const aspects = ['What is the password?', 'How much is a ticket?']
  expect(openAspects(aspects, held, () => [])).toEqual(['How much is a ticket?'])
  expect(openAspects(aspects, [], () => [])).toEqual(aspects)
})

describe('the clues of options', () => {
  const question = { text: 'What does the captain carry?', options: ['A red flag', 'A red lamp', '3'] }

  test('the clue of an option is what only it has', () => {
    expect(findClues(question).map(clue => clue.words)).toEqual(['flag', 'lamp', '3'])
  })

  test('a number is searched for together with the question', () => {
    expect(findClues(question)[2]?.query).toMatch(/captain carry 3/)
  })

  test('what was searched for before is not searched for again', () => {
    const step = {
      round: 0,
      tool: 'search',
      input: { query: 'flag' },
      outcome: 'nothing' as const,
      evidence: [],
      notes: [],
      seconds: 0,
    }
    expect(clueCalls(findClues(question), [step], [search]).map(call => call.id)).toEqual(['clue-1', 'clue-2'])
    expect(clueCalls(findClues(question), [], [])).toEqual([])
  })

  test('by words an option is supported only where it stands beside what is asked', () => {
    const row = (start: number, text: string) =>
      stamp({ span: { start, end: start + 4 }, track: 'speech', text }, 'v', 'x/y')
    const ledger = [
      row(10, 'the captain comes on deck'),
      row(15, 'with a lamp in his hand'),
      row(500, 'a flag on the roof'),
    ]
    expect(findClues(question).map(clue => verdictByWords(clue, question, ledger).verdict)).toEqual([
      'unseen',
      'supported',
      'unseen',
    ])
  })

  describe('which option the verdicts speak for', () => {
    const verdicts = (...all: OptionVerdict['verdict'][]) =>
      all.map((verdict, option): OptionVerdict => ({ option, clue: '', verdict, reason: '', cites: [] }))

    test('the one that is supported, where it is the only one', () => {
      expect(chosenByVerdict(verdicts('unseen', 'supported', 'contradicted'), false)).toBe(1)
      expect(chosenByVerdict(verdicts('supported', 'supported', 'unseen'), false)).toBeUndefined()
    })

    test('the one that was not found, where the question asks for what is not there', () => {
      expect(chosenByVerdict(verdicts('supported', 'unseen', 'supported'), true)).toBe(1)
    })
  })
})
