import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../../src/core/backend.ts'
import { type ChatRequest, textContent } from '../../src/core/chat.ts'
import { CallRecord } from '../../src/core/run/call-record.ts'
import { recordCalls } from '../../src/store/call-log/record.ts'
import { chatModels } from './index.ts'

const signal = new AbortController().signal
const host: Host = { folder: '', environment: {}, signal, say: () => {} }
const request = (words: string): ChatRequest => ({
  purpose: 'write',
  messages: [{ role: 'user', content: [...textContent(words), { type: 'image', jpeg: new Uint8Array([1, 2, 3]) }] }],
})
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-calls-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a recorded run', () => {
  test('gives the same replies again, the second to a request after the first', async () => {
    const model = await chatModels.open(
      'scripted',
      { replies: ['one', 'two', { calls: [{ name: 'search', arguments: { query: 'x' } }] }] },
      host,
    )
    const recording = recordCalls(folder, value => value).model(model)
    const said = [
      await recording.reply(request('a'), signal),
      await recording.reply(request('a'), signal),
      await recording.reply(request('b'), signal),
    ]

    const replay = await chatModels.open('recorded', { folder }, host)
    const again = [
      await replay.reply(request('a'), signal),
      await replay.reply(request('a'), signal),
      await replay.reply(request('b'), signal),
    ]
    expect(again).toEqual(JSON.parse(JSON.stringify(said)))
  })

  test('of a model that was said to take "video" is read', () => {
    const record = { format: 1, model: 'chat/openai/x', request: {}, seconds: 1, accepts: ['text', 'video', 'image'] }
    expect(CallRecord.parse(record)).toMatchObject({ kind: 'chat', accepts: ['text', 'video', 'image'] })
  })

  test('what was never asked is an error and no guess', async () => {
    const replay = await chatModels.open('recorded', { folder }, host)
    await expect(replay.reply(request('never'), signal)).rejects.toThrow(/No recorded reply/)
  })
})

describe('scripted replies', () => {
  test('come from a file too, and end with an error that says so', async () => {
    const file = join(folder, 'replies.json')
    await writeFile(file, JSON.stringify(['hello']))
    const model = await chatModels.open('scripted', { file }, host)
    expect((await model.reply(request('a'), signal)).text).toBe('hello')
    await expect(model.reply(request('a'), signal)).rejects.toThrow(/no reply number 2/)
  })

  test('can be meant for one purpose only', async () => {
    const model = await chatModels.open(
      'scripted',
      {
        replies: [
          { purpose: 'plan', text: 'READY' },
          { purpose: 'write', text: 'the answer' },
        ],
      },
      host,
    )
    expect((await model.reply(request('a'), signal)).text).toBe('the answer')
  })

  test('a broken file is named', async () => {
    const file = join(folder, 'broken.json')
    await writeFile(file, '{')
    await expect(chatModels.open('scripted', { file }, host)).rejects.toThrow(/broken\.json/)
  })
})

describe('the rules', () => {
  test('say what they cannot do', async () => {
    const model = await chatModels.open('rules', {}, host)
    await expect(model.reply({ ...request('a'), purpose: 'translate' }, signal)).rejects.toThrow(/cannot translate/)
  })
})
