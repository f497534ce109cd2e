import { describe, expect, test } from 'vitest'
import type { RunEvent, Turn } from '../../src/core/agent.ts'
import { ask } from '../agent/ask.ts'
import { handMadeIndex } from '../agent/hand-made-index.ts'
import { lecture } from '../agent/lecture.ts'
import { museum } from '../agent/museum.ts'
import { talkOver } from './talk-over.ts'

const news = handMadeIndex(museum)
const talk = handMadeIndex(lecture)

async function last(index: typeof news, questions: string[]): Promise<string> {
  return (await talkOver(index, ...questions)).at(-1)?.answer.text ?? ''
}

describe('a moment of an earlier answer', () => {
  test.each([
    [['Why was the lighthouse closed?', 'What did she say right after that?'], /captain harris/],
    [['Why was the lighthouse closed?', 'And then?'], /captain harris/],
    [['Why was the lighthouse closed?', 'And what came after it?'], /captain harris/],
    [['Why was the lighthouse closed?', 'What did she say before that?'], /twelve dollars/],
    [['Why was the lighthouse closed?', 'And before that?'], /twelve dollars/],
    [['Why was the lighthouse closed?', 'What was on screen then?'], /The Lighthouse/],
    [['Why was the lighthouse closed?', 'What was shown on the screen at that moment?'], /The Lighthouse/],
    [['Why was the lighthouse closed?', 'What is the next sentence?'], /captain harris/],
    [['Why was the lighthouse closed?', 'And then?', 'And after that?', 'And before that?'], /captain harris/],
    [['Who built the first model ship?', 'What came before that?'], /lighthouse was closed/],
    [['When is the music heard?', 'What was said just before it?'], /eight hundred/],
    [['What sound is heard after the lighthouse is mentioned?', 'What is said right after that?'], /password/],
    [['What is said right after the bell?', 'And before?'], /children pay nothing/],
  ])('%j', async (questions, says) => {
    expect(await last(news, questions)).toMatch(says)
  })

  test.each([
    [['What does Anna say about magma?', 'What did she say after that?'], /we call it lava/],
    [['What does Anna say about magma?', 'What was shown on the screen at that time?'], /Magma and lava/],
    [['What is a caldera?', 'What was the question before that?'], /Does anybody know/],
    [['What may one bring to the exam?', 'What is on that slide?'], /12 June/],
  ])('%j', async (questions, says) => {
    expect(await last(talk, questions)).toMatch(says)
  })
})

describe('one of several things', () => {
  test.each([
    [['When are beeps heard?', 'When was the second one?'], /\[1:30-1:31\]/],
    [['When are beeps heard?', 'What is said after the last one?'], /elisa grant/],
    [['When are beeps heard?', 'What is said after the last one?', 'And after the first one?'], /password/],
    [['How many beeps are heard?', 'What is said right after the third one?'], /elisa grant/],
    [['How many beeps are heard?', 'What is said right after the third of them?'], /elisa grant/],
    [['Which comes first, the weather or the whales?', 'What is said about the latter?'], /whales? /],
    [['Which comes first, the weather or the whales?', 'What is said about the other one?'], /whales? /],
  ])('%j', async (questions, says) => {
    expect(await last(news, questions)).toMatch(says)
  })

  test.each([
    [['When is applause heard?', 'What was said before the second one?'], /See you next week/],
    [['When is applause heard?', 'What was said before the second one?', 'And before the first one?'], /large crater/],
    [
      ['Which of these is highest: Etna, Vesuvius or Krakatoa?', 'What is said about the second option?'],
      /Vesuvius buried/,
    ],
    [['Which of these is highest: Etna, Vesuvius or Krakatoa?', 'What about the other options?'], /Vesuvius|Krakatoa/],
  ])('%j', async (questions, says) => {
    expect(await last(talk, questions)).toMatch(says)
  })

  test('the other option is the one that was not chosen', async () => {
    const first = await ask(news, 'Where will it rain?', { options: ['Lisbon', 'Chicago'] })
    const turns: Turn[] = [{ question: first.question, answer: first.answer }]
    const { question, answer } = await ask(news, 'What about the other option?', { turns })
    expect(question.text).toContain('Chicago')
    expect(answer.text).toMatch(/small town near chicago/)
  })
})

describe('where an answer comes from', () => {
  test('"who said it" names the speaker', async () => {
    expect(await last(talk, ['What city was buried?', 'Who said so?'])).toMatch(/^Tom/)
    expect(await last(talk, ['What is a caldera?', 'And who explained it?'])).toMatch(/^Tom/)
  })

  test('"who said it" is not guessed where the index knows no speaker', async () => {
    const [, state] = await talkOver(news, 'Why was the lighthouse closed?', 'Who said it?')
    expect(state!.answer.abstained).toBe(true)
    expect(state!.answer.text).toMatch(/not known/)
  })

  test('"when was that said" is the moment, "when was that" what the line says of it', async () => {
    expect(await last(news, ['Who built the first model ship?', 'When was that said?'])).toMatch(/\[0:40-0:45\]/)
    expect(await last(news, ['Who built the first model ship?', 'And when was that?'])).toMatch(/nineteen twenty one/)
  })
})

describe('questions without their words', () => {
  test.each([
    [['Where is it going to rain?', 'When?'], /friday/],
    [['How much does a ticket cost for adults?', 'And for children?'], /nothing|free/i],
    [['When is the bell heard?', 'And the music?'], /\[2:40-2:46\]/],
  ])('%j', async (questions, says) => {
    expect(await last(news, questions)).toMatch(says)
  })

  test.each([
    [['Who studies lava flows?', 'Where?'], /Iceland/],
    [['When did Vesuvius erupt?', 'And Krakatoa?'], /1883|eighteen eighty three/],
    [['When does the exam take place?', 'Where is it?'], /main hall/],
  ])('%j', async (questions, says) => {
    expect(await last(talk, questions)).toMatch(says)
  })
})

describe('with the reference answers of a benchmark in place of our own', () => {
  test.each([
    [
      'Why was the lighthouse closed?',
      'Because its stairs were rotten.',
      'What is said right after that?',
      /captain harris/,
    ],
    ['Who built the first model ship?', 'Captain Harris built it.', 'And when was that?', /nineteen twenty one/],
    ['What is the password?', 'It is blue falcon.', 'What did she say before that?', /captain harris/],
    ['What does the sign say?', 'Danger, do not enter.', 'What was shown before that?', /Lighthouse/],
  ])('%s %s %s', async (text, reference, next, says) => {
    const { answer } = await ask(news, next, { turns: [{ question: { text }, reference }] })
    expect(answer.text).toMatch(says)
  })
})

describe('many ways to point at one thing', () => {
  test.each([
    ['What happened immediately afterwards?', 'What is said right after [0:33-0:38]?'],
    ['And the one before it?', 'What is said right before [0:33-0:38]?'],
    ['What is the sentence after that one?', 'What is the sentence after [0:33-0:38]?'],
    ['Did she say anything about a ship after that?', 'Did the speaker say anything about a ship after [0:33-0:38]?'],
    ['Which slide is on the screen while she says that?', 'Which slide is on the screen during [0:33-0:38]?'],
    ['What was written on the screen when this was said?', 'What was written on the screen during [0:33-0:38]?'],
    ['What else was said around then?', 'What else was said during [0:33-0:38]?'],
    ['Where in the video is that?', 'When is [0:33-0:38]?'],
  ])('%s', async (asked, question) => {
    const [first] = await talkOver(news, 'Why was the lighthouse closed?')
    const state = await ask(news, asked, { turns: [{ question: first!.question, answer: first!.answer }] })
    expect(state.question.text).toBe(question)
  })

  test.each([
    ['And the last?', 'When are [2:00-2:01] heard?'],
    ['What was on screen during the second?', 'What was on screen during [1:30-1:31]?'],
    ['What is said between the first and the second one?', 'What is said during [0:49-1:30]?'],
    ['What is shown when the last one is heard?', 'What is shown during [2:00-2:01]?'],
  ])('of several: %s', async (asked, question) => {
    const [first] = await talkOver(news, 'When are beeps heard?')
    const state = await ask(news, asked, { turns: [{ question: first!.question, answer: first!.answer }] })
    expect(state.question.text).toBe(question)
  })
})

test('what was resolved is told, and the question stands alone', async () => {
  const [first] = await talkOver(news, 'Why was the lighthouse closed?')
  const events: RunEvent[] = []
  const turns: Turn[] = [{ question: first!.question, answer: first!.answer }]
  const state = await ask(news, 'What did she say right after that?', { turns, events })
  const told = events.find(event => event.type === 'reference')
  expect(told).toMatchObject({
    asked: 'What did she say right after that?',
    question: 'What did the speaker say right after [0:33-0:38]?',
    references: [{ words: 'right after that', kind: 'moment', span: { start: 33, end: 38 } }],
  })
  expect(state.question.refers?.asked).toBe('What did she say right after that?')
})

test('a row that an earlier answer rests on can be cited again, though no tool found it now', async () => {
  const row = { ...news.evidence()[0]!, id: 'p0123456789', text: 'a red scarf', track: 'picture' as const }
  const answer = {
    text: 'A red scarf.',
    sentences: [{ text: 'A red scarf.', cites: [row.id], verdict: 'supported' as const }],
    confidence: 0.8,
    abstained: false,
    degraded: [],
  }
  const turns: Turn[] = [{ question: { text: 'What does she wear?' }, answer, evidence: [row] }]
  const state = await ask(news, 'When was that shown?', { turns })
  expect(state.answer.sentences.flatMap(sentence => sentence.cites)).toContain(row.id)
})

test.each([
  'What is the phone number?',
  'What does the speaker say that the ticket costs?',
  'Is there a museum in the harbor?',
  'What is said before the bell rings?',
  'What happens after it rains?',
])('a question that stands alone is left as it is: %s', async text => {
  const [first] = await talkOver(news, 'Why was the lighthouse closed?')
  const { question } = await ask(news, text, { turns: [{ question: first!.question, answer: first!.answer }] })
  expect(question.text).toBe(text)
})
