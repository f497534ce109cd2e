import { describe, expect, test } from 'vitest'
import { ask } from './ask.ts'
import { handMadeIndex, said, shown } from './hand-made-index.ts'

const rows = [
  said(2, 8, 'good morning and welcome to the harbour museum', 'Speaker 1'),
  said(9, 14, 'thank you the tickets cost 12 dollars this year', 'Speaker 2'),
  said(15, 21, 'how many people visit the museum every year', 'Speaker 1'),
  said(22, 30, 'thousands of people come to hear the whales sing', 'Speaker 3'),
  said(31, 34, 'tickets are free for children', 'Speaker 3'),
  said(35, 39, 'the museum is closed on monday', 'Speaker 2'),
  shown(0, 40, 'Harbour Museum'),
]
const speakers = ['Speaker 1', 'Speaker 2', 'Speaker 3']
const made = handMadeIndex({ duration: 40, rows })
const interview = { ...made, overview: { ...made.overview, speakers } }
const nobody = handMadeIndex({ duration: 40, rows: rows.map(({ speaker: _, ...row }) => row) })

describe('the rules answer who says what, with the lines of that speaker alone', () => {
  test.each<[question: string, says: RegExp, not?: RegExp]>([
    ['What did the second speaker say about the tickets?', /12 dollars/, /children/],
    ['What did the third speaker say about the tickets?', /free for children/, /dollars/],
    ['What does speaker 3 say?', /thousands of people.*free for children/s, /dollars|monday/],
    ['What did speaker two say about the museum?', /closed on monday/, /welcome/],
    ['Who says that the museum is closed on Monday?', /Speaker 2/],
    ['How many speakers are there?', /^3: Speaker 1, Speaker 2, Speaker 3/],
    ['How many people speak?', /^3\b/],
    ['Who speaks most?', /^Speaker 1 speaks most: 2 lines of 12 seconds/],
    ['Which speaker talks the least?', /^Speaker 2 speaks least: 2 lines of 9 seconds/],
    ['How long does each speaker talk?', /Speaker 3 speaks: 2 lines of 11 seconds/],
    ['How long does the second speaker talk?', /^Speaker 2 speaks: 2 lines of 9 seconds together[^.]*\.?$/],
  ])('%s', async (question, says, not) => {
    const { answer, evidence } = await ask(interview, question)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toMatch(says)
    if (not) expect(answer.text).not.toMatch(not)
    const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
    expect(evidence.filter(row => cited.has(row.id)).length).toBeGreaterThan(0)
  })
})

describe('where nobody is known whom the question means, there is no answer', () => {
  test.each([
    ['three', 'What did the fifth speaker say about the tickets?'],
    ['none', 'What did the second speaker say about the tickets?'],
    ['none', 'Who speaks most?'],
    ['none', 'How many speakers are there?'],
  ])('of %s: %s', async (known, question) => {
    const index = known === 'three' ? interview : nobody
    const { answer } = await ask(index, question)
    expect(answer.abstained).toBe(true)
    expect(answer.text).not.toMatch(/dollars|children|welcome/)
  })
})

test('two who speak as long are not told apart', async () => {
  const rows = [said(2, 8, 'good morning to you all', 'Speaker 1'), said(9, 15, 'good evening to you', 'Speaker 2')]
  const made = handMadeIndex({ duration: 40, rows })
  const even = { ...made, overview: { ...made.overview, speakers: ['Speaker 1', 'Speaker 2'] } }
  const { answer } = await ask(even, 'Who speaks most?')
  expect(answer.text).toMatch(/^Speaker 1 speaks: 1 line of 6 seconds.*Speaker 2 speaks: 1 line of 6 seconds/s)
})

test('a number in the question is not the number of a speaker', async () => {
  const { answer } = await ask(interview, 'What costs 12 dollars?')
  expect(answer.text).toMatch(/12 dollars/)
})
