import { describe, expect, test } from 'vitest'
import type { ChatModel, ChatReply, ChatRequest } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { ask } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'

const index = handMadeIndex(museum)
const question = 'What is the password?'

function small(says: string | Error) {
  const requests: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/small',
    accepts: new Set(['text']),
    reply: async (request): Promise<ChatReply> => {
      requests.push(request)
      if (says instanceof Error) throw says
      return { text: says, calls: [], stop: 'end', usage: { inputTokens: 5, outputTokens: 5 }, model: 'x' }
    },
  }
  return { model, requests }
}

async function answered(says: string | Error, text = question, options?: string[]) {
  const { model, requests } = small(says)
  const roles = { planner: model, writer: model, verifier: model }
  const state = await ask(index, text, { graph: 'retrieve-and-write', ...roles, options })
  return { ...state, requests }
}

describe('a model too small to plan', () => {
  test('is asked once, for one short sentence, without tools and without JSON', async () => {
    const { requests, answer } = await answered('The password is blue falcon.')
    expect(requests).toHaveLength(1)
    const [request] = requests
    expect(request).not.toHaveProperty('tools')
    expect(request).not.toHaveProperty('schema')
    expect(request!.maxTokens).toBeLessThan(200)
    expect(JSON.stringify(request!.messages).length).toBeLessThan(3000)
    expect(answer.text).toMatch(/^The password is blue falcon \[0:52-0:57\]/)
    expect(answer.degraded.join()).not.toContain('rules wrote')
  })

  test.each([
    'The password is green elephant.',
    'The password is blue falcon euros.',
    '{"sentences": [{"text": "The pass',
    'I am an AI language model.',
    '',
  ])('that writes what no row bears out changes nothing, and the answer says so: %j', async says => {
    const rules = await ask(index, question)
    const { answer, stop } = await answered(says)
    expect(answer.text).toBe(rules.answer.text)
    expect(answer.degraded.join()).toMatch(says === '' ? /said nothing; rules wrote/ : /does not bear out.*rules wrote/)
    expect(stop).toBe('answered')
  })

  test('whose reply its server could not read has answered nothing, which is no failure of the server', async () => {
    const usage = { inputTokens: 900, outputTokens: 70 }
    const badReply = new BackendError('no answer', { reason: 'bad-reply', retryable: true, usage })
    const { answer, stop, spent } = await answered(badReply)
    expect(stop).toBe('answered')
    expect(answer.text).toMatch(/blue falcon/)
    expect(spent).toMatchObject(usage) // it cost what it cost
  })

  test('whose server does not answer: the rules answer, and the run has failed', async () => {
    const { answer, stop } = await answered(new BackendError('connection refused', { retryable: true }))
    expect(stop).toBe('failed')
    expect(answer.text).toMatch(/blue falcon/)
    expect(answer.degraded.join()).toContain('connection refused')
  })

  test('does not make up an answer to what the video does not say', async () => {
    const { answer } = await answered('The winner of the regatta was Oxford.', 'Who won the regatta?')
    expect(answer.abstained).toBe(true)
    expect(answer.text).not.toContain('Oxford')
  })

  test('chooses among options what the rules choose', async () => {
    const { answer } = await answered('A', question, ['red hawk', 'blue falcon'])
    expect(answer.choice).toBe(1)
  })
})
