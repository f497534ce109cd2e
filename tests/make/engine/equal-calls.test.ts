import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MakeReply, openRoles } from '../../../eval/make/machine/roles.ts'
import { type AskedCalls, type MakeWorkers, type SentStep, startAhead } from '../../../eval/make/machine/workers.ts'
import { resolveConfig } from '../../../src/config/resolve.ts'
import { type ChatRequest, textContent } from '../../../src/core/chat.ts'
import { createRuntime } from '../../../src/runtime/runtime.ts'
import { startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { bytesOf } from './talks.ts'

// Equal requests are further calls, and a model may say something else each time.
let folder: string
let server: FaultServer
let asked = 0
const { signal } = new AbortController()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-equal-calls-'))
  server = await startChatServer(['scripted'], () => ({ content: `reply ${++asked}` }))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const request: ChatRequest = {
  ...{ purpose: 'check', temperature: 0, maxTokens: 8 },
  messages: [{ role: 'user', content: textContent('Is it so?') }],
}
const names = ['questions', 'pairs'].map(name => ({ name }) as SentStep)

// A making of two steps that ask one and the same three times and twice, up to so many calls in all: what it was told.
async function making(out: string, { calls, theirs }: { calls: number; theirs?: AskedCalls['calls'][] }) {
  const author = `make.author={"backend":"openai","url":"${server.url}","model":"scripted"}`
  const flags = { set: ['profile=embedded', author] }
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false, flags })
  const runtime = await createRuntime({ config, home: join(folder, 'home'), environment: {} })
  const ask: MakeWorkers['ask'] = async ([step]) => ({
    ...{ calls: theirs?.[step?.name === 'questions' ? 0 : 1] ?? [], isAll: true, spent: 0 },
  })
  const workers = { ask, index: async () => {}, open: async () => {}, end: async () => {} }
  const others = startAhead(workers, undefined, () => {})
  const answers: MakeReply[] = []
  const { models, close } = await openRoles({
    ...{ runtime, folder: join(folder, out), redact: value => value, onCall() {} },
    async answer(call) {
      key = call.key
      const answered = await (theirs ? others.answer(call) : call.own())
      answers.push(answered)
      return answered
    },
  })
  const said: string[] = []
  for (const [at, step] of names.entries()) {
    await others.ahead([step])
    for (let n = at === 0 ? 3 : 2; n > 0 && said.length < calls; n--)
      said.push((await models.author[0]?.ask(request, signal))?.reply.text ?? '')
  }
  await close()
  await runtime.close()
  return { said, answers }
}
let key = ''

test('after a kill, the n-th equal request of a step gets the n-th reply of the workers, and the files are those of one machine', async () => {
  const whole = await making('whole', { calls: 5 })
  const expected = ['reply 1', 'reply 2', 'reply 3', 'reply 4', 'reply 5']
  expect(whole.said).toEqual(expected)
  const told = whole.answers.map(answered => ({ key, answered }))
  const theirs = [told.slice(0, 3), told.slice(3)]
  for (const calls of [0, 1, 2, 3, 4]) {
    await making(`killed-${calls}`, { calls, theirs })
    expect((await making(`killed-${calls}`, { calls: 5, theirs })).said).toEqual(expected)
    expect(bytesOf(join(folder, `killed-${calls}`))).toEqual(bytesOf(join(folder, 'whole')))
  }
  expect(asked).toBe(5)
})
