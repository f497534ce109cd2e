import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import recordedBackend from '../../../models/chat/recorded.ts'
import { type ChatModel, type ChatReply, type ChatRequest, textContent } from '../../core/chat.ts'
import { BackendError, backendReasons } from '../../core/errors.ts'
import { contentHash } from '../../core/json.ts'
import { redactor } from '../redact.ts'
import { recordCalls } from './record.ts'

const signal = new AbortController().signal
const plain = redactor([])

const request = (question: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  purpose: 'write',
  messages: [{ role: 'user', content: textContent(question) }],
  ...more,
})

// A model that counts its replies, and fails where it is told to.
function counting(failAt = 0): ChatModel & { calls: number } {
  return {
    id: 'chat/test/counting',
    accepts: new Set(['text', 'image']),
    calls: 0,
    async reply(): Promise<ChatReply> {
      this.calls++
      if (this.calls === failAt) throw new BackendError('The server is busy.', { retryable: true })
      return {
        text: `reply ${this.calls}`,
        calls: [{ id: 'c1', name: 'search', arguments: { query: 'é\n"', k: 1.5 } }],
        stop: 'end',
        usage: { inputTokens: 3, outputTokens: 4 },
        model: 'counting-1',
      }
    },
  }
}

let folder: string
// What a later process sees of the recordings.
const replay = () => recordedBackend.open({ folder })
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'longtake-calls-')), 'calls')
})

describe('recorded calls', () => {
  test('are replayed byte for byte, without the model', async () => {
    const model = counting()
    const recording = recordCalls(folder, plain).model(model)
    const replies = [await recording.reply(request('one'), signal), await recording.reply(request('two'), signal)]
    const replaying = await replay()
    const again = [await replaying.reply(request('one'), signal), await replaying.reply(request('two'), signal)]
    expect(JSON.stringify(again)).toBe(JSON.stringify(replies))
    expect(model.calls).toBe(2)
  })

  test('of one request made twice are replayed in their order, and not a third time', async () => {
    const recording = recordCalls(folder, plain).model(counting())
    for (let i = 0; i < 2; i++) await recording.reply(request('same'), signal)
    const replaying = await replay()
    expect((await replaying.reply(request('same'), signal)).text).toBe('reply 1')
    expect((await replaying.reply(request('same'), signal)).text).toBe('reply 2')
    await expect(replaying.reply(request('same'), signal)).rejects.toThrow('No recorded reply')
  })

  test('lie in files as the head of record.ts says, named after contentHash(request)', async () => {
    await recordCalls(folder, plain).model(counting()).reply(request('one'), signal)
    const file = join(folder, `${contentHash(request('one'))}.json`)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      format: 1,
      kind: 'chat',
      model: 'chat/test/counting',
      request: request('one'),
      reply: { text: 'reply 1', usage: { inputTokens: 3 } },
      seconds: expect.any(Number),
    })
  })

  test('keep a picture once, however often it is shown', async () => {
    const jpeg = new Uint8Array(1000).fill(9)
    const show = (question: string) =>
      request(question, {
        messages: [{ role: 'user', content: [...textContent(question), { type: 'image', jpeg, time: 3 }] }],
      })
    const recording = recordCalls(folder, plain).model(counting())
    await recording.reply(show('one'), signal)
    await recording.reply(show('two'), signal)
    const [name, ...others] = await readdir(join(folder, 'bytes'))
    expect(others).toEqual([])
    expect(new Uint8Array(await readFile(join(folder, 'bytes', name!)))).toEqual(jpeg)
    const stored = await readFile(join(folder, `${contentHash(show('one'))}.json`), 'utf8')
    expect(stored).toContain(`"bytes:${name}"`)
    const replaying = await replay()
    expect((await replaying.reply(show('two'), signal)).text).toBe('reply 2')
    jpeg[0] = 1
    await expect(replaying.reply(show('one'), signal)).rejects.toThrow('No recorded reply')
  })

  test('that failed fail again in the same way, so that a retry is replayed as well', async () => {
    const recording = recordCalls(folder, plain).model(counting(1))
    await expect(recording.reply(request('one'), signal)).rejects.toThrow('busy')
    await recording.reply(request('one'), signal)
    const replaying = await replay()
    const error = await replaying.reply(request('one'), signal).catch(error => error)
    expect(error).toMatchObject({ message: 'The server is busy.', retryable: true })
    expect((await replaying.reply(request('one'), signal)).text).toBe('reply 2')
  })

  test.each(backendReasons)('that failed as "%s" fail again with that reason and with what they cost', async reason => {
    const usage = { inputTokens: 20, outputTokens: 14 }
    const reply = async () => {
      throw new BackendError('No answer.', { hint: 'Ask less.', retryable: true, reason, usage })
    }
    const recording = recordCalls(folder, plain).model({ ...counting(), reply })
    const first = await recording.reply(request('one'), signal).catch(error => error)
    const again = await (await replay()).reply(request('one'), signal).catch(error => error)
    expect({ ...again }).toEqual({ ...first })
    expect(again).toMatchObject({ message: 'No answer.', hint: 'Ask less.', retryable: true, reason, usage })
  })

  test('hold no secret, and are still found by the request that held it', async () => {
    const secret = 'canary-0123456789'
    await recordCalls(folder, redactor([secret]))
      .model(counting())
      .reply(request(`use ${secret}`), signal)
    for (const name of await readdir(folder)) {
      if (name.endsWith('.json')) expect(await readFile(join(folder, name), 'utf8')).not.toContain(secret)
    }
    const replaying = await replay()
    expect((await replaying.reply(request(`use ${secret}`), signal)).text).toBe('reply 1')
  })

  test('that were never made are an error that names the request', async () => {
    const replaying = await replay()
    await expect(replaying.reply(request('Why did she leave?'), signal)).rejects.toThrow(
      /No recorded reply to this "write" call \([0-9a-f]{12}\)/,
    )
  })
})
