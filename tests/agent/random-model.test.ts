import { afterAll, describe, expect, test } from 'vitest'
import { chatModels } from '../../models/chat/index.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { LongtakeError } from '../../src/core/errors.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import { modelFixture } from '../contracts/model-fixture.ts'
import { hasPackage, packageFolder } from '../support/counterparts.ts'
import { ask, host } from './ask.ts'
import { handMadeIndex, itemAt } from './hand-made-index.ts'
import { lecture } from './lecture.ts'
import { museum } from './museum.ts'

// A language model with random weights whose replies are held by a grammar: each is of the right form, and noise.
const isHere = hasPackage('node-llama-cpp')
const questions = process.env.LONGTAKE_LONG ? 200 : 2
const indexes = [handMadeIndex(museum), handMadeIndex(lecture)]
const asked = [
  'How many people visited the museum?',
  'What is the password?',
  'When does the train leave?',
  'Who invented the seismometer?',
  'How often does somebody laugh?',
  'What happens after the break?',
  'Is the museum open on Monday?',
  'Why does magma rise?',
  'What is the video about?',
  'What colour is her coat?',
]
const budget = { steps: 4, tokens: 60_000, seconds: 120 }

const models = new Map<number, Promise<ChatModel>>()
const modelOf = (seed: number) => {
  const known = models.get(seed)
  if (known) return known
  const settings = {
    ...{ folder: modelFixture('gguf-random'), file: 'random.gguf', packageFolder, device: 'cpu', threads: 1 },
    ...{ contextTokens: 16_384, thinkingTokens: 0, temperature: 1 + (seed % 3) * 0.4, seed },
  }
  const opened = chatModels.open('llama-cpp', settings, host)
  models.set(seed, opened)
  return opened
}
afterAll(async () => {
  for (const model of models.values()) await (await model).close?.()
})

describe.skipIf(!isHere)(
  'a model with random weights behind a grammar (skipped: node-llama-cpp is not in LONGTAKE_TEST_PACKAGES)',
  () => {
    test.each(Array.from({ length: questions }, (_, at) => at))('question %i', async at => {
      const index = itemAt(indexes, at % indexes.length)
      const model = await modelOf(at % 4)
      const noise = varied(model, at)
      const options = at % 5 === 4 ? ['one', 'two', 'three', 'four'] : undefined
      const began = performance.now()
      const state = await ask(index, itemAt(asked, at % asked.length), {
        ...{ planner: noise, writer: noise, verifier: noise, budget, options },
        ...{ set: at % 3 === 2 ? 'longshot' : 'core', graph: at % 7 === 6 ? 'longshot-v2' : 'investigate' },
      })
      const { answer, steps, spent } = state
      expect((performance.now() - began) / 1000).toBeLessThan(budget.seconds + 10)
      expect(steps.at(-1)?.round ?? 0).toBeLessThanOrEqual(budget.steps + 1)
      expect(spent.inputTokens + spent.outputTokens).toBeLessThan(budget.tokens + 20_000) // and the call that passed it
      const known = new Set(state.evidence.map(row => row.id))
      const cites = answer.sentences.flatMap(sentence => sentence.cites)
      expect(cites.filter(id => !known.has(id))).toEqual([])
      expect(answer.abstained || cites.length > 0 || answer.choice !== undefined).toBe(true)
      const quoted = state.evidence.map(row => row.text).join('\n') // a time that is said or shown may be of a clock
      const madeUp = statedTimes(answer.text).filter(
        ({ text, seconds }) => !quoted.includes(text) && seconds.some(at => at > index.coverage.duration),
      )
      expect(madeUp).toEqual([])
    })
  },
)

// The same question again gets other noise, as the seed of each call differs; the same run gets the same.
function varied(model: ChatModel, run: number): ChatModel {
  let calls = 0
  return {
    ...model,
    id: model.id,
    accepts: model.accepts,
    async reply(request, signal, onText) {
      try {
        // By turns a third of the tools: what all of them are told of would take most of the time.
        const tools = request.tools?.filter((_, place) => (place + run) % 3 === 0)
        return await model.reply({ ...request, tools, seed: run * 1000 + calls++ }, signal, onText)
      } catch (error) {
        expect(error).toBeInstanceOf(LongtakeError)
        throw error
      }
    },
  }
}
