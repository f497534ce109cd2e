import { describe, expect, test } from 'vitest'
import { stamp } from '../../../src/core/evidence.ts'
import { understandQuestion } from '../../../src/text/question/understand.ts'
import { checkClaim } from './check.ts'
import { directAnswer } from './extract.ts'
import { polarity } from './polarity.ts'

function pick(question: string, line: string, speaker?: string) {
  const asked = understandQuestion({ text: question }, 600)
  return directAnswer(question, asked.wants, asked.topic, line, speaker)
}

describe('the short answer in a line', () => {
  test.each([
    ['What is the room number?', 'Room 204', '204'],
    ['What is the room number?', 'the number of the room is two oh four', '204'],
    ['How many birds did they see?', 'in two days they saw forty one birds and three foxes', '41'],
    ['How much does the coffee cost?', 'Coffee $3.50\nTea $2.00', '$3.50'],
    ['How old is the bridge?', 'the bridge in room 12 is eighty years old', '80 years'],
    ['How long does the flight take?', 'flight 81 takes nine hours', '9 hours'],
    ['Who wrote the book?', 'the book was written by Jane Miller in London', 'Jane Miller'],
    ['Who found the key?', 'maria found the key under the mat', 'maria'],
    ['Who is the director?', 'Director: Jane Miller', 'Jane Miller'],
    ['Who likes chess?', 'I like chess', undefined],
    ['Where is the meeting?', 'the meeting on monday is in the blue room', 'in the blue room'],
    ['Where does he come from?', 'he lives in Rome but comes from Turin', 'from Turin'],
    ['When does the shop close?', 'the shop closes at half past six in the evening', 'at half past six in the evening'],
    ['When was it built?', 'it was built in 1887', 'in 1887'],
    ['On which day is the concert?', 'the concert is on friday evening', 'on friday evening'],
    ['Why did the train stop?', 'the train stopped because of snow on the track', 'because of snow on the track'],
    ['What colour is the car?', 'my car is dark green', 'dark green'],
    ['What is the code word?', 'remember, the code word is silver moon', 'silver moon'],
    ['What is the capital?', 'Paris is the capital', 'Paris'],
    ['How often does the bus run?', 'the bus runs every ten minutes', 'every ten minutes'],
    ['What is the web address?', 'Visit www.harbor.example today', 'www.harbor.example'],
    ['What is the title of the slide?', 'Our plan\nfirst step', 'Our plan'],
  ])('%s | %s -> %s', (question, line, answer) => {
    expect(pick(question, line)).toBe(answer)
  })

  test('whoever says "I" is the speaker', () => {
    expect(pick('Who likes chess?', 'I like chess', 'Tom')).toBe('Tom')
  })
})

describe('yes or no', () => {
  test.each([
    ['Is the shop open?', 'the shop is open', 'yes'],
    ['Is the shop open?', 'the shop is closed', 'no'],
    ['Is the shop open?', 'the shop is not open', 'no'],
    ['Did 50 people come?', '42 people came', 'no'],
    ['Is basalt light?', 'basalt is dark and heavy, pumice is light', 'unclear'],
  ])('%s | %s -> %s', (question, line, says) => {
    expect(polarity(question, line)).toBe(says)
  })
})

describe('the check of a sentence', () => {
  const rows = [
    stamp({ track: 'speech', span: { start: 0, end: 4 }, text: 'forty two people visited the museum' }, 'v', 'by/hand'),
  ]
  const verdict = (claim: string) => checkClaim({ kind: 'check', claim, evidence: rows }).verdict

  test.each([
    ['42 people visited the museum.', 'supported'],
    ['42 — said: "forty two people visited the museum"', 'supported'],
    ['17 people visited the museum.', 'contradicted'],
    ['No people visited the museum.', 'contradicted'],
    ['The elephant slept all day long.', 'unseen'],
    ['He said "the elephant slept"', 'unseen'],
  ])('%s is %s', (claim, expected) => {
    expect(verdict(claim)).toBe(expected)
  })

  test('without rows nothing is seen', () => {
    expect(checkClaim({ kind: 'check', claim: 'All is well.', evidence: [] }).verdict).toBe('unseen')
  })
})
