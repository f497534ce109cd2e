import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ChatModel, type ChatRequest, textContent } from '../../src/core/chat.ts'
import { chatKey } from '../../src/core/run/call-record.ts'
import { resumeCalls } from '../../src/store/call-log/resume.ts'
import { sampleLine } from '../../tests/bench/sample-lines.ts'
import { callFolder } from './ask/call-folder.ts'
import { listSeenFrames } from './conclude.ts'

test('frames.jsonl has the times of all frames shown, the rows seen and cited, and the hash of each prompt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-seen-'))
  const model: ChatModel = {
    id: 'scripted',
    accepts: new Set(['image']),
    reply: async () => ({
      text: 'tea',
      calls: [],
      stop: 'end',
      model: 'scripted',
      usage: { inputTokens: 1, outputTokens: 1 },
    }),
  }
  const lookAt = (...pictures: number[][]): ChatRequest => ({
    purpose: 'look',
    messages: [{ role: 'user', content: textContent(`look at ${pictures}`) }],
    brief: { kind: 'sight', video: { id: 'v', name: 'v.mp4' }, task: 'look', pictures },
  })
  const conversed: ChatRequest = {
    purpose: 'plan',
    messages: [{ role: 'user', content: [{ type: 'image', jpeg: new Uint8Array([1]), time: 5.5 }] }],
  }
  const requests = [lookAt([12], [3]), lookAt([3, 4]), conversed]
  const { signal } = new AbortController()
  try {
    const calls = resumeCalls(callFolder(folder, 'q/1-open'), value => value).model(model)
    for (const request of requests) await calls.reply(request, signal)
    const rows = [
      { id: 'r1', span: { start: 3, end: 5 }, cited: true },
      { id: 'r2', span: { start: 9, end: 9.5 } },
    ]
    const [seen, ...others] = await listSeenFrames(folder, [sampleLine({ id: 'q/1', score: 1, rows })])
    expect(others).toEqual([])
    expect(seen).toEqual({
      id: 'q/1',
      ask: 'open',
      times: [3, 4, 5.5, 12],
      frames: 0,
      rows: [
        { id: 'r1', track: 'speech', start: 3, end: 5, cited: true },
        { id: 'r2', track: 'speech', start: 9, end: 9.5, cited: false },
      ],
      prompts: requests.map(chatKey).sort(),
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
