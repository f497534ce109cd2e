import { describe, expect, test } from 'vitest'
import { type Draft, SightBrief } from '../../src/core/brief.ts'
import type { ChatModel, ChatRequest } from '../../src/core/chat.ts'
import { chatKey } from '../../src/core/run/call-record.ts'
import detectActivities from '../../tools/longshot/detect-activities.ts'
import look from '../../tools/look.ts'
import { ask, partsOf } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'

const made = handMadeIndex(museum)
const stills = [10, 70, 130, 190].map((time, shot) => ({
  ...{ time, shot, reason: 'shot' as const, width: 1, height: 1, offset: 0, length: 1 },
}))
const pictures = stills.map(({ time }) => ({
  ...{ id: `p${time}`, video: made.video.id, by: 'embed-image/clip', span: { start: time, end: time + 1 } },
  ...{ track: 'picture' as const, text: `picture at 0:${time}`, frame: time },
}))
const index: typeof made = {
  ...made,
  stills,
  still: async () => new Uint8Array([1]),
  search: async () => pictures.map(evidence => ({ evidence, score: 1, lists: ['picture'], terms: [] })),
}

// A model that sees, which keeps what it was asked.
function watching(reply: object) {
  const requests: ChatRequest[] = []
  const service: ChatModel = {
    id: 'chat/watching',
    accepts: new Set(['text', 'image']),
    async reply(request) {
      requests.push(request)
      const usage = { inputTokens: 0, outputTokens: 0 }
      return { text: JSON.stringify(reply), calls: [], stop: 'end', usage, model: 'watching' }
    },
  }
  return { requests, services: { vision: async () => ({ by: 'chat/watching', service }) } }
}

// The brief of a request, whose pictures are those of its messages.
function sightOf(request: ChatRequest | undefined): SightBrief {
  const brief = SightBrief.parse(request?.brief)
  const shown = request?.messages.flatMap(one => one.content).filter(part => part.type === 'image')
  expect(brief.pictures).toHaveLength(shown?.length ?? -1)
  expect(brief.video).toEqual({ id: made.video.id, name: made.video.name })
  return brief
}

const picture = { frame: 0, width: 2, height: 2, rgb: new Uint8Array(12) }
const frames = async (times: number[]) => times.map(time => ({ ...picture, time }))

describe('a request to a model that sees says as data what it shows', () => {
  test('a look, with the times of its frames, the span and the question', async () => {
    const { requests, services } = watching({})
    const { context } = await partsOf(index, 'Who?', { services })
    await look.run({ start: 5, end: 75, question: 'Who is there?', frames: 4 }, { ...context, frames })
    const { pictures, ...rest } = sightOf(requests[0])
    expect(rest).toMatchObject({ task: 'look', span: { start: 10, end: 70 }, question: 'Who is there?' })
    const shown = requests[0]?.messages.flatMap(one => one.content).flatMap(one => ('jpeg' in one ? [[one.time]] : []))
    expect(pictures).toEqual(shown)
  })

  test('a tool of LongShOTBench that looks', async () => {
    const { requests, services } = watching({})
    const { context } = await partsOf(index, 'Who?', { services })
    await detectActivities.run({ timestamp: '00:00:10-00:00:30' }, { ...context, frames })
    expect(sightOf(requests[0])).toMatchObject({ task: 'look', question: expect.stringMatching(/What do the people/) })
  })

  test('the one pass of the baseline', async () => {
    const { requests, services } = watching({ sentences: [] } satisfies Draft)
    await ask(index, 'What colour is the harbor?', { graph: 'single-pass', services })
    expect(sightOf(requests[0]).pictures).toEqual([[10], [70], [130], [190]])
  })

  test('and no recording of an earlier release is lost to it', async () => {
    const { requests, services } = watching({})
    const { context } = await partsOf(index, 'Who?', { services })
    await look.run({ start: 5, end: 25, question: 'Who is there?', frames: 4 }, { ...context, frames })
    const { brief: _, ...before } = requests[0]!
    expect(chatKey(requests[0]!)).toBe(chatKey(before as ChatRequest))
  })
})
