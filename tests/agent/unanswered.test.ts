import { describe, expect, test } from 'vitest'
import { answerLines } from '../../src/cli/show/lines.ts'
import { CheckReply } from '../../src/core/brief.ts'
import { buildReport } from '../../src/runtime/ask/start-run.ts'
import { isEnglish } from '../../src/text/question/language.ts'
import { ask } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'
import { call, draft, model } from './scripted-model.ts'

const index = handMadeIndex(museum)
const plain = { bold: (text: string) => text, dim: (text: string) => text } as Parameters<typeof answerLines>[1]
const idOf = (words: RegExp) => index.evidence().find(row => words.test(row.text))?.id ?? ''
const planner = () => model((_, n) => (n === 0 ? call('search', { query: 'captain ship' }) : { text: 'READY' }))
const shownOf = async (question: string) => {
  const state = await ask(index, question)
  return {
    answer: state.answer,
    lines: answerLines(
      buildReport({ index, runtime: { profile: { name: 'embedded' } }, options: {} }, state, ''),
      plain,
    ).join('\n'),
  }
}

describe('why a question has no answer', () => {
  test.each(['Wer hat das erste Modellschiff gebaut?', '¿Quién construyó el primer barco?', '谁建造了第一个船模？'])(
    'a question that rules cannot read is not understood: %s',
    async question => {
      const { answer, lines } = await shownOf(question)
      expect(answer).toMatchObject({ abstained: true, cause: 'not-understood', confidence: 0 })
      expect(answer.mend).toMatch(/English/)
      expect(lines).toContain('Not answered (not-understood): the question was not understood. Ask in English')
      expect(lines).not.toContain('Confidence')
    },
  )

  test('what the picture shows is not looked at without a model, and the line of tracks does not claim it', async () => {
    const { answer, lines } = await shownOf('What colour is the coat of the woman at the door?')
    expect(answer).toMatchObject({ abstained: true, cause: 'not-looked', confidence: 0 })
    expect(lines).toContain('pictures not by a model')
    expect(lines).not.toMatch(/pictures(,| \d)/)
  })

  test('what was looked for and is not there is absent', async () => {
    const { answer } = await shownOf('What is said about the volcano in Iceland?')
    expect(answer).toMatchObject({ abstained: true, cause: 'absent' })
  })

  test('what a look could not read is unreadable, and not absent', async () => {
    const eyes = model(() => ({ text: 'A sign, too small to read.' }))
    Object.assign(eyes, { accepts: new Set(['text', 'image']) })
    const looking = model((_, n) =>
      n === 0 ? call('look', { start: 10, end: 20, question: 'What does the sign say?' }) : { text: 'READY' },
    )
    const writer = model(() => draft('The sign is too small to read.', [], { abstained: true }))
    const services = { vision: async () => ({ by: 'chat/eyes', service: eyes }) }
    const more = { planner: looking, writer, services, frames: 8, policy: { lookBeforeAnswer: false } }
    const { answer, steps } = await ask(index, 'What is written on the sign?', more)
    expect(steps[0]).toMatchObject({ tool: 'look', outcome: 'found' })
    expect(answer).toMatchObject({ abstained: true, cause: 'unreadable', mend: expect.stringContaining('resolution') })
  })

  test('the budget is named with the option that raises it', async () => {
    const writer = model(() => draft('It is not said.', [], { abstained: true }))
    const busy = model((_, n) => call('search', { query: `lantern ${n}` }))
    const more = { planner: busy, writer, budget: { steps: 2 }, policy: { noveltyGuard: false } }
    const { answer } = await ask(index, 'Who lit the lantern?', more)
    expect(answer).toMatchObject({ abstained: true, cause: 'budget', mend: expect.stringContaining('--max-steps') })
  })

  test('choosing that the video does not say counts as not answered, and the choice stays', async () => {
    const options = ['Captain Harris', 'Sheila', 'The video does not say.']
    const writer = model(() => draft('It is not said who steered it.', [], { choice: 2, confidence: 0.9 }))
    const verifier = model(() => ({ text: '{"reason":"so","verdict":"unseen"}' }))
    const { answer } = await ask(index, 'Who steered the ship?', { options, planner: planner(), writer, verifier })
    expect(answer).toMatchObject({ choice: 2, abstained: true, cause: 'absent' })
  })

  test('an option that merely holds a negation is an answer', async () => {
    const options = ['The lighthouse did not show a light.', 'The stairs were rotten.']
    const writer = model(() => draft('It was dark.', [idOf(/lighthouse/)], { choice: 0 }))
    const verifier = model(() => ({ text: '{"reason":"so","verdict":"supported"}' }))
    const { answer } = await ask(index, 'Why was it closed?', { options, planner: planner(), writer, verifier })
    expect(answer.abstained).toBe(false)
  })

  test('where an answer is demanded the best inference is given', async () => {
    const writer = model(() => draft('Most likely the captain.', [], { abstained: true, confidence: 0.3 }))
    const verifier = model(() => ({ text: '{"reason":"no","verdict":"unseen"}' }))
    const asked = (always: boolean) =>
      ask(index, 'Who painted the ship?', { planner: planner(), writer, verifier, always })
    expect((await asked(false)).answer.abstained).toBe(true)
    const { answer } = await asked(true)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toContain('Most likely the captain')
    expect(answer.confidence).toBeLessThan(0.4)
  })
})

test('a sentence that follows from its rows stays, marked as inferred and less sure', async () => {
  const id = idOf(/stairs were rotten/)
  const writer = model(() => draft('The owners feared an accident.', [id], { confidence: 0.9 }))
  const judged = (verdict: string) => model(() => ({ text: JSON.stringify({ reason: 'so', verdict }) }))
  const asked = (verdict: string) =>
    ask(index, 'Why was the lighthouse closed?', { planner: planner(), writer, verifier: judged(verdict) })
  const [follows, supported] = [await asked('follows'), await asked('supported')]
  expect(follows.answer.sentences[0]).toMatchObject({ verdict: 'follows', cites: [id] })
  expect(follows.answer.text).toContain('feared an accident (inferred) [0:33-0:38].')
  expect(follows.answer.confidence).toBeLessThan(supported.answer.confidence)
})

test('a verifier gives its reason before its verdict', () => {
  expect(Object.keys(CheckReply.shape)).toEqual(['reason', 'verdict'])
})

test.each([
  ['What does “Straße der Brücken” mean in the film?', true],
  ['Who is Gérard?', true],
  ['Name the café', true],
  ['Password?', true],
  ['Was zeigt das Schild am Eingang?', false],
  ['Combien de visiteurs?', false],
  ['Сколько машин?', false],
])('whether rules can read "%s": %s', (text, readable) => {
  expect(isEnglish(text)).toBe(readable)
})
