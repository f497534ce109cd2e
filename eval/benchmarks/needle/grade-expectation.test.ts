import { expect, test } from 'vitest'
import { momentsIn } from '../../metrics/answer-text.ts'
import { meets } from './grade-expectation.ts'
import type { Expectation } from './record.ts'

const train: Expectation = { form: 'words', groups: [['train']], rivals: ['bus', 'plane'] }
const three: Expectation = { form: 'number', value: 3 }
const at84: Expectation = { form: 'moment', spans: [{ start: 84, end: 90 }], slack: 3 }
const vain: Expectation = { form: 'abstain', rivals: ['bus', 'plane'] }
const diane: Expectation = {
  form: 'which',
  right: ['Diane Miller', 'Diane'],
  others: ['Mark Hill', 'Mark'],
  rivals: ['both'],
}

const cases: [Expectation, string, number][] = [
  [train, 'By train. [1:24-1:30]', 1],
  [train, 'He takes TRAINS, they say.', 1],
  [train, 'By train or by bus.', 0],
  [train, 'The video does not say that he takes the train.', 0],
  [train, 'By car.', 0],
  [three, 'The bell rings three times, at 0:16, 0:52 and 2:12.', 1],
  [three, '3', 1],
  [three, 'It rings 4 times [0:03-0:05].', 0],
  [three, 'At 0:03 and 3 s it rings twice.', 0],
  [at84, 'The siren is heard at 1:24 [1:24-1:30].', 1],
  [at84, 'After 86 seconds.', 1],
  [at84, '1 minute 25 seconds in.', 1],
  [at84, 'At 2:24.', 0],
  [at84, 'Somewhere in the middle.', 0],
  [diane, 'Diane Miller does [0:10-0:14].', 1],
  [diane, 'Diane does, and Mark does not.', 1],
  [diane, 'Mark Hill does, and Diane does not.', 0],
  [diane, 'Both do, Diane and Mark.', 0],
  [diane, 'The video does not say whether Diane does.', 0],
  [diane, 'Somebody does.', 0],
  [vain, 'The video does not say.', 1],
  [vain, "It isn't mentioned in the video.", 1],
  [vain, 'Nothing is said about that.', 1],
  [vain, 'The video does not say, but probably by bus.', 0],
  [vain, 'By helicopter.', 0],
]

test.each(cases)('%o of "%s" is %d', (expectation, text, score) => {
  expect(meets(expectation, { text })).toBe(score)
})

test('twice is 2, and numbers of the question or beside the answer do not count', () => {
  expect(meets({ form: 'number', value: 2 }, { text: 'It is heard twice.' })).toBe(1)
  const budget: Expectation = { form: 'number', value: 480, beside: [12] }
  expect(meets(budget, { text: 'Staff: 12, Budget: 480', question: 'What is the budget in room 7?' })).toBe(1)
  expect(meets(budget, { text: 'Room 7 has 480.', question: 'What is the budget in room 7?' })).toBe(1)
  expect(meets(budget, { text: 'Visitors: 99, Budget: 480' })).toBe(0)
})

test('an order is right when each thing is first named after the one before', () => {
  const order: Expectation = { form: 'order', items: [['siren'], ['bell'], ['applause']] }
  expect(meets(order, { text: 'First the siren, then the bell, then applause.' })).toBe(1)
  expect(meets(order, { text: 'Bell, siren, applause.' })).toBe(0)
  expect(meets(order, { text: 'Siren, then bell.' })).toBe(0)
})

test('a summary counts by the share of what it names, from the least share on', () => {
  const share: Expectation = {
    form: 'share',
    parts: [['river farms'], ['city parks'], ['night roads'], ['old gates']],
    least: 0.75,
  }
  expect(meets(share, { text: 'River Farms, City Parks and Night Roads.' })).toBe(0.75)
  expect(meets(share, { text: 'River Farms and City Parks.' })).toBe(0)
})

test('an answer that says of itself that it abstains, abstains', () => {
  expect(meets(vain, { text: 'I looked everywhere.', abstained: true })).toBe(1)
  expect(meets(train, { text: 'train', abstained: true })).toBe(0)
})

test('moments are read in the order of the text, and a length is none where the time is given', () => {
  expect(momentsIn('From 1:02:03 to 1:02:10.')).toEqual([3723, 3730])
  expect(momentsIn('It is late by 40 minutes [1:05-1:23].')).toEqual([65, 83])
  expect(momentsIn('After 12.5 s, or 2 minutes 5 seconds.')).toEqual([12.5, 125])
})

test('a rival counts where it is given as the answer, not where something else is quoted with it', () => {
  const ring: Expectation = { form: 'words', groups: [['ring']], rivals: ['camera', 'letter'] }
  const question = 'What did the doctor find?'
  const score = (text: string, expectation: Expectation = ring) => meets(expectation, { text, question })
  expect(score('The doctor found a ring in the kitchen. The farmer found a camera in the garden.')).toBe(1)
  expect(score('Yesterday the farmer found a letter. Yesterday the doctor found a ring. [0:10-0:14]')).toBe(1)
  expect(score('A ring. Or a camera.')).toBe(0)
  expect(score('A ring. Maybe he found a camera.')).toBe(0)
  expect(score('A ring, a camera, or the farmer took a letter.')).toBe(0)
  expect(score('The farmer found a camera.')).toBe(0)
  const nothing: Expectation = { form: 'abstain', rivals: ['camera'] }
  expect(score('The video does not say. The farmer found a camera.', nothing)).toBe(1)
  expect(score('The video does not say. It is probably a camera.', nothing)).toBe(0)
  const penalty: Expectation = { form: 'unsaid', rivals: ['camera'], right: [['ring']] }
  expect(score('A ring or a camera.', penalty)).toBe(0)
  expect(score('A ring. The farmer found a camera.', penalty)).toBe(1)
})

const four = 'Which of these towns is named in a running line of text: Oslo, Turin, Lima or Cairo?'
const oslo: Expectation = { form: 'words', groups: [['Oslo']], rivals: ['Turin', 'Lima', 'Cairo'] }
const two = 'Who wears a hat, Mark Hill or Diane Miller?'
const offered: [Expectation, string, string, number][] = [
  [oslo, four, 'Oslo, Turin, Lima and Cairo.', 0],
  [oslo, four, 'The towns Cairo, Lima, Oslo and Turin are named. [0:10-0:14]', 0],
  [oslo, four, 'Oslo or Turin.', 0],
  [oslo, four, '- Oslo\n- Turin\n- Lima\n- Cairo', 0],
  [oslo, four, 'Oslo is named. Turin is named too.', 0],
  [oslo, four, 'Oslo.', 1],
  [oslo, four, `${four} Oslo.`, 1],
  [oslo, four, 'Of Oslo, Turin, Lima and Cairo it is Oslo that is named.', 1],
  [oslo, four, 'Oslo is named; Turin, Lima and Cairo are not.', 1],
  [oslo, four, "Oslo. Turin isn't, and neither are Lima and Cairo.", 1],
  [oslo, four, 'Oslo, not Turin.', 1],
  [oslo, four, 'A line says: the flight to Oslo is late by 20 minutes. A slide says: Turin, founded by farmers.', 1],
  [diane, two, 'Diane Miller and Mark Hill.', 0],
  [diane, two, 'Diane Miller, Mark Hill', 0],
  [diane, two, 'Diane wears a hat. Mark wears a hat.', 0],
  [diane, two, 'Mark Hill or Diane Miller? Diane Miller.', 1],
  [diane, two, 'Diane Miller, rather than Mark Hill.', 1],
  [diane, two, 'Diane wears a red hat and Mark none.', 1],
  [diane, two, 'Diane Miller. Mark Hill stands in the kitchen.', 1],
  [diane, 'Who is seen first in the video, Diane Miller or Mark Hill?', 'Diane Miller, and Mark Hill later.', 1],
]

test.each(offered)('%o, asked with what is wrong: %s "%s" is %d', (expectation, question, text, score) => {
  expect(meets(expectation, { text, question })).toBe(score)
})

test('the rubric takes off for all of what a question offers, and not for the right one of it', () => {
  const penalty: Expectation = { form: 'unsaid', rivals: ['Turin', 'Lima', 'Cairo'], right: [['Oslo']] }
  expect(meets(penalty, { text: 'Oslo, Turin, Lima and Cairo.', question: four })).toBe(0)
  expect(meets(penalty, { text: 'Oslo is named.', question: four })).toBe(1)
})
