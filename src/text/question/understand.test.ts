import { describe, expect, test } from 'vitest'
import { handMadeIndex } from '../../../tests/agent/hand-made-index.ts'
import { stamp } from '../../core/evidence.ts'
import { resolve } from '../conversation/resolve.ts'
import { itemsToOrder, splitItems } from './items.ts'
import { statedSpan } from './times-of-question.ts'
import { parseTopic } from './topic.ts'
import { understandQuestion } from './understand.ts'

const read = (text: string) => understandQuestion({ text }, 600)

describe('what sort of question it is', () => {
  test.each([
    ['How many times does he say hello?', 'count'],
    ['How many different slides are shown?', 'count-units'],
    ['How many people live in Oslo?', 'fact'],
    ['When is the bell heard?', 'when'],
    ['When the bell rings, what is said?', 'during'],
    ['What is said while the bell rings?', 'during'],
    ['What is said after the bell?', 'neighbour'],
    ['Which sentence comes right before "good night"?', 'neighbour'],
    ['What happens at 1:15?', 'at-time'],
    ['What is shown between 0:10 and 0:20?', 'at-time'],
    ['What is this video about?', 'summary'],
    ['Can you summarise the talk?', 'summary'],
    ['Is a cat mentioned anywhere?', 'presence'],
    ['What colour is her coat?', 'picture'],
    ['What does the sign say?', 'contents'],
    ['What was said about the war?', 'about'],
    ['What did they do after the war?', 'fact'],
    ['Which is shown first, the map or the chart?', 'order'],
    ['Put these in chronological order: tea, coffee, milk', 'order'],
  ])('%s -> %s', (text, kind) => {
    const { kind: found, anchor } = read(text)
    expect(anchor?.loose ? 'fact' : found).toBe(kind)
  })
})

describe('where the answer lies', () => {
  test.each([
    ['What does the speaker say about taxes?', ['speech']],
    ['What does the sign say?', ['text']],
    ['Which sound is heard?', ['sound']],
    ['What is heard at the end?', ['sound', 'speech']],
    ['What is written on the board?', ['text']],
    ['Where is Oslo?', []],
  ])('%s -> %s', (text, tracks) => {
    expect(read(text).tracks).toEqual(tracks)
  })
})

describe('times in a question', () => {
  test.each([
    ['What happens in the first 30 seconds?', { start: 0, end: 30 }],
    ['What happens in the last minute?', { start: 540, end: 600 }],
    ['What is said between 1:00 and 2:30?', { start: 60, end: 150 }],
    ['What is said from 0:05 to 0:09?', { start: 5, end: 9 }],
    ['What is shown in the second half?', { start: 300, end: 600 }],
  ])('%s', (text, span) => {
    expect(statedSpan(text, 600).span).toEqual(span)
  })

  test.each([
    ['at 1:15', 75],
    ['around 90 seconds', 90],
    ['at minute 2', 120],
    ['near the 45 second mark', 45],
  ])('%s', (text, moment) => {
    expect(statedSpan(`What happens ${text}?`, 600).moment).toBe(moment)
  })

  test('a time past the end belongs to what is asked about', () => {
    expect(statedSpan('Where does the train at 19:30 go?', 600)).toEqual({ rest: 'Where does the train at 19:30 go?' })
  })
})

describe('what a question is about', () => {
  test('frame words and stop words are left out', () => {
    expect(parseTopic('What does the speaker say about the museum in this video?').words).toBe('museum')
  })

  test('a quoted phrase is kept whole', () => {
    expect(parseTopic('When is the slide "The next step" shown?').quoted).toEqual(['The next step'])
  })

  test('an apostrophe is no quotation mark', () => {
    expect(parseTopic("What is Anna's dog's name?").quoted).toEqual([])
  })

  test('names weigh more', () => {
    const { terms } = parseTopic('Which book does Marie recommend?')
    expect(Math.max(...terms.map(term => term.weight))).toBe(terms.find(term => term.text === 'marie')?.weight)
  })
})

describe('what is to be ordered', () => {
  test.each([
    ['In what order are a, b and c shown?', ['a', 'b', 'c']],
    ['Which comes first, the red sign or the bell?', ['red sign', 'bell']],
    ['What is heard first: music or applause?', ['music', 'applause']],
    ['Does the map appear before the chart?', ['map', 'chart']],
    ['In which order do "Tea time", "Coffee" and "Milk" appear?', ['Tea time', 'Coffee', 'Milk']],
    ['What is the first slide?', []],
  ])('%s', (text, items) => {
    expect(itemsToOrder(text)).toEqual(items)
  })

  test('sequences come in many spellings', () => {
    expect(splitItems('a -> b -> c')).toEqual(['a', 'b', 'c'])
    expect(splitItems('a, then b, and c')).toEqual(['a', 'b', 'c'])
    expect(splitItems('the map; the chart')).toEqual(['map', 'chart'])
  })
})

describe('a following turn', () => {
  const row = stamp({ track: 'speech', span: { start: 40, end: 45 }, text: 'captain harris' }, 'v', 'by/hand')
  const turns = [{ question: { text: 'Who built the ship?' }, answer: 'Harris', evidence: [row] }]

  test.each([
    'What did he say right after that?',
    'What is the next sentence?',
    'What came before that?',
    'What was on screen then?',
  ])('%s starts from the row of the answer before', async text => {
    const before = { question: turns[0]!.question, reference: turns[0]!.answer, evidence: [row] }
    const { question } = await resolve({ text }, [before], handMadeIndex({ duration: 600, rows: [] }))
    expect(understandQuestion(question, 600, turns).anchor?.span).toEqual({ start: 40, end: 45 })
  })

  test('a pronoun brings the words of the question before', () => {
    expect(understandQuestion({ text: 'When was it finished?' }, 600, turns).earlier.words).toMatch(/ship/)
  })
})
