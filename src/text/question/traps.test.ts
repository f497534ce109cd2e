import { describe, expect, test } from 'vitest'
import { stamp } from '../../core/evidence.ts'
import { isNegated } from './negation.ts'
import { isUnheardOf, premiseRows, trapsIn } from './traps.ts'

const kinds = (text: string, options?: string[]) => trapsIn({ text, options }, 600).map(trap => trap.kind)
const claim = (text: string) => trapsIn({ text }, 600).flatMap(trap => ('claim' in trap ? [trap.claim] : []))[0]

describe('a question that says its own answer', () => {
  test.each([
    ["Isn't it true that the lighthouse was closed?", 'the lighthouse was closed'],
    ['The lighthouse was closed by a storm, right?', 'The lighthouse was closed by a storm'],
    ["She is a doctor, isn't she?", 'She is a doctor'],
    ["Don't you agree that the museum is too expensive?", 'the museum is too expensive'],
    ['Is it correct that Tom invented the seismometer?', 'Tom invented the seismometer'],
  ])('%s', (text, expected) => {
    expect(kinds(text)).toContain('leading')
    expect(claim(text)).toBe(expected)
  })
})

describe('a question that takes something for granted', () => {
  test.each([
    ['Why was the lighthouse painted red?', 'the lighthouse painted red'],
    ['What did the mayor say after the bridge collapsed?', 'the bridge collapsed'],
    ['How come the speaker left the stage?', 'the speaker left the stage'],
  ])('%s', (text, expected) => {
    expect(kinds(text)).toContain('premise')
    expect(claim(text)).toBe(expected)
  })
})

test.each([
  'What is the password?',
  'How many beeps are heard?',
  'When is the password mentioned?',
  'What color is the car on the right?',
  'Is there a dog in the video?',
  'Summarize the video.',
])('no trap: %s', text => {
  expect(kinds(text)).toEqual([])
})

describe('what is asked for because it is not there', () => {
  test.each([
    ['Which of these did not happen?', true],
    ['All of the following are mentioned except which?', true],
    ["Which animal doesn't appear?", true],
    ['What should students not bring to the exam?', true],
    ['Why did nobody come?', false],
    ['Which of these happened first?', false],
  ])('%s', (text, negated) => {
    expect(isNegated(text)).toBe(negated)
    expect(kinds(text, ['a dog', 'a cat']).includes('negated')).toBe(negated)
  })
})

test('options that cannot be true: after the end, empty, said twice', () => {
  const traps = trapsIn(
    { text: 'When does the bell ring?', options: ['at 1:30', 'at 12:30', '', 'At 1:30', 'C. at 620 seconds'] },
    600,
  )
  expect(traps.map(trap => (trap.kind === 'impossible' ? [trap.option, trap.why.split(' ')[0]] : trap.kind))).toEqual([
    [1, 'that'],
    [2, 'it'],
    [3, 'it'],
    [4, 'that'],
  ])
})

test('a time of day and a plain number are no moments of the video', () => {
  expect(kinds('When does the museum open?', ['at 10:30 pm', '11:30 a.m.', '9 o’clock'])).toEqual([])
  expect(kinds('How many visitors came?', ['900', '12000', '7'])).toEqual([])
})

describe('what a premise is tried against', () => {
  const row = (text: string) => stamp({ span: { start: 1, end: 2 }, track: 'speech', text }, 'v', 'x/y')
  const rows = [row('the lighthouse was closed because the stairs were rotten'), row('it will rain in lisbon')]

  test('the rows that speak of it', () => {
    expect(premiseRows('the lighthouse painted red', rows)).toEqual([rows[0]])
    expect(premiseRows('the queen sang', rows)).toEqual([])
  })

  test('what nothing speaks of is unheard of', () => {
    expect(isUnheardOf('the queen sang an opera', rows)).toBe(true)
    expect(isUnheardOf('the lighthouse closed', rows)).toBe(false)
  })
})
