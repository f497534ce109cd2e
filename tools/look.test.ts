import { expect, test } from 'vitest'
import type { ChatModel } from '../src/core/chat.ts'
import { BackendError } from '../src/core/errors.ts'
import type { ToolContext } from '../src/core/tool.ts'
import type { Still } from '../src/core/video.ts'
import { handMadeContext, handMadeIndex } from '../tests/agent/hand-made-index.ts'
import look from './look.ts'

// How many frames each request of a look showed, where the picture changes ten times in the ten seconds and the model takes `most`.
async function shown(input: object, lookFrames?: number | 'auto', most = 100): Promise<number[]> {
  const counts: number[] = []
  const service: ChatModel = {
    id: 'chat/sees',
    accepts: new Set(['text', 'image']),
    async reply({ messages }) {
      const count = messages.flatMap(one => one.content).filter(part => part.type === 'image').length
      counts.push(count)
      if (count > most) throw new BackendError('too long', { reason: 'context-overflow' })
      return { text: 'a man', calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'sees' }
    },
  }
  const still = (time: number): Still => ({
    ...{ time, shot: 0, reason: 'change', width: 16, height: 9, offset: 0, length: 1 },
  })
  const index = {
    ...handMadeIndex({ duration: 60, rows: [] }),
    stills: Array.from({ length: 10 }, (_, at) => still(at)),
  }
  const context: ToolContext = {
    ...handMadeContext(index, { vision: async () => ({ by: 'chat/sees', service }) }),
    frames: async times => times.map(time => ({ time, width: 16, height: 16, rgb: new Uint8Array(768) })),
    ...(lookFrames !== undefined && { limits: { lookFrames } }),
  }
  await look.run(look.input.parse({ start: 0, end: 10, question: 'Who?', ...input }), context)
  return counts
}

test('a look shows two frames a second, one in a long span and eight in a short one, or as many as its call or the settings say', async () => {
  expect(await shown({})).toEqual([21])
  expect(await shown({ start: 0, end: 2 })).toEqual([17])
  expect(await shown({ start: 0, end: 60 })).toEqual([61])
  expect(await shown({ frames: 3 })).toEqual([3])
  expect(await shown({}, 12)).toEqual([12])
  expect(await shown({ frames: 3 }, 12)).toEqual([3])
})

test('it shows fewer where the model takes fewer, unless the number was asked for', async () => {
  expect(await shown({}, 'auto', 6)).toEqual([21, 11, 6])
  await expect(shown({}, 8, 6)).rejects.toThrow('too long')
})
