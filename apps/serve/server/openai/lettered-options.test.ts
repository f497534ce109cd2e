import { expect, test } from 'vitest'
import { processorTime } from '../../../../tests/support/processor-time.ts'
import { readLetteredOptions } from './lettered-options.ts'

test('the choices of a prompt of Video-MME are read, and what is said of the form of the answer is left out', () => {
  const prompt = [
    'Select the best answer to the following multiple-choice question based on the video and the subtitles.',
    'Respond with only the letter (A, B, C, or D) of the correct option.',
    'What colour is the door?',
    'A. Red.',
    'B. It is blue: dark blue.',
    'C. Green.',
    'D. None of them.',
    "Answer with the option's letter from the given choices directly.",
  ].join('\n')
  expect(readLetteredOptions(prompt)).toEqual({
    text: 'What colour is the door?',
    options: ['Red.', 'It is blue: dark blue.', 'Green.', 'None of them.'],
  })
})

test('letters in brackets are choices too; a list that does not begin with A and B is part of the question', () => {
  expect(readLetteredOptions('Which option is right?\n(A) one\n(B) two')).toEqual({
    text: 'Which option is right?',
    options: ['one', 'two'],
  })
  expect(readLetteredOptions('Who is C. Miller?\nB. is his friend.')).toBeUndefined()
  expect(readLetteredOptions('A. Miller speaks. Who is he?')).toBeUndefined()
})

test('a choice of a million blanks takes no time', () => {
  const used = processorTime()
  const blanks = ' '.repeat(500_000)
  expect(readLetteredOptions(`Which?\nA. x${blanks}y${blanks}\nB. z\nC.${blanks}`)).toEqual({
    text: `Which?\nC.${blanks}`.trim(),
    options: [`x${blanks}y`, 'z'],
  })
  expect(used()).toBeLessThan(2000)
})
