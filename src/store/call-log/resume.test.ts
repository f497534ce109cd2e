import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type ChatModel, type ChatRequest, textContent } from '../../core/chat.ts'
import { BackendError } from '../../core/errors.ts'
import { ensureFolder } from '../durable.ts'
import { listStages } from '../stage/stage-check.ts'
import { resumeCalls } from './resume.ts'
import { shareCalls } from './share.ts'

const { signal } = new AbortController()
const request: ChatRequest = {
  purpose: 'plan',
  messages: [{ role: 'user', content: textContent('Where is the crane?') }],
}
const usage = { inputTokens: 3, outputTokens: 4 }
let asked: number
const model: ChatModel = {
  id: 'chat/test',
  accepts: new Set(['text']),
  reply: async () => ({ text: `reply ${++asked}`, calls: [], stop: 'end', usage, model: 'test' }),
}

let folder: string
beforeEach(async () => {
  asked = 0
  folder = await mkdtemp(join(tmpdir(), 'longtake-calls-'))
})

test('calls of a run that was stopped are read and not made again; the next equal one is', async () => {
  await resumeCalls(folder, value => value)
    .model(model)
    .reply(request, signal)
  const resumed = resumeCalls(folder, value => value).model(model)
  expect((await resumed.reply(request, signal)).text).toBe('reply 1')
  expect((await resumed.reply(request, signal)).text).toBe('reply 2')
  expect(asked).toBe(2)
})

test.each([
  ['bad-reply', 1],
  ['context-overflow', 2],
] as const)('a call that failed with %s was made %i times after a stop', async (reason, times) => {
  const failing: ChatModel = {
    ...model,
    reply: async () => {
      asked++
      throw new BackendError('No use.', { reason })
    },
  }
  for (const _ of [1, 2]) {
    const resumed = resumeCalls(folder, value => value).model(failing)
    await expect(resumed.reply(request, signal)).rejects.toMatchObject({ reason })
  }
  expect(asked).toBe(times)
})

test('a folder of calls, or of results, that cannot be read is an error and not an empty one', async () => {
  await symlink('calls', join(folder, 'calls'))
  const resumed = resumeCalls(join(folder, 'calls'), value => value).model(model)
  await expect(resumed.reply(request, signal)).rejects.toThrow('ELOOP')
  expect(asked).toBe(0)
  await symlink('stages', join(folder, 'stages'))
  await expect(listStages(folder)).rejects.toThrow('ELOOP')
  expect(await listStages(join(folder, 'nothing'))).toEqual([])
})

// Kept for ever: rows of studies that were made before call logs had one form.
test('a shared call is found in the form that the first release wrote, by the same name', async () => {
  const as = { role: 'planner', chosen: async () => ({ by: 'chat/test', settings: {}, version: '1' }) }
  const name = 'dd9a0febcfb5884dc9503c60adc85ba7.json'
  const reply = { text: 'at 0:12', calls: [], stop: 'end', usage, model: 'test' }
  const kept = { format: 1, row: 'base', role: 'planner', model: 'chat/test', request, reply, seconds: 1.5 }
  await ensureFolder(folder)
  await writeFile(join(folder, name), JSON.stringify(kept))
  const shared = shareCalls(folder, 'row-2', value => value)
  expect((await shared.model(model, as).reply(request, signal)).text).toBe('at 0:12')
  expect(shared.used).toEqual([{ role: 'planner', purpose: 'plan', madeBy: 'base', seconds: 1.5, ...usage }])
  expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toEqual(kept)
})
