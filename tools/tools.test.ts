import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ChatModel } from '../src/core/chat.ts'
import type { Listener, TextReader, Transcriber } from '../src/core/services.ts'
import { handMadeContext, handMadeIndex } from '../tests/agent/hand-made-index.ts'
import { museum } from '../tests/agent/museum.ts'
import { openTools, toolFiles } from './index.ts'

const index = handMadeIndex(museum)
const audio = { duration: 240, rate: 16000 as const, read: async () => new Float32Array(0) }

async function run(name: string, input: unknown, services = {}, more = {}) {
  const { default: tool } = await toolFiles[name]!()
  return tool.run(tool.input.parse(input), { ...handMadeContext(index, services), ...more })
}

describe('every tool', () => {
  test('has the name it is listed under, a description and a schema that a model can read', async () => {
    for (const [name, tool] of Object.entries(toolFiles)) {
      const { default: made } = await tool()
      expect(made.name).toBe(name)
      expect(made.description.length).toBeGreaterThan(40)
      expect(z.toJSONSchema(made.input, { io: 'input' })).toMatchObject({ type: 'object' })
    }
    expect((await openTools(['search'])).map(tool => tool.name)).toEqual(['search'])
  })
})

describe('search', () => {
  test('finds rows by their words, on the asked tracks and in the asked span', async () => {
    const found = await run('search', { query: 'lisbon', tracks: ['speech'], start: 90 })
    expect(found.evidence.map(row => row.text)).toEqual(['it will rain in lisbon on friday with strong winds'])
  })

  test('says when an asked track was never made', async () => {
    const deaf = handMadeIndex({ ...museum, coverage: { sound: { state: 'off' } } })
    const { default: search } = await toolFiles.search!()
    const found = await search.run(search.input.parse({ query: 'bell', tracks: ['sound'] }), handMadeContext(deaf))
    expect(found.text).toMatch(/Not looked at: sound \(switched off\)/)
  })
})

describe('timeline', () => {
  test('lists all rows of a track in order', async () => {
    const found = await run('timeline', { tracks: ['sound'] })
    expect(found.evidence.map(row => row.span.start)).toEqual([30, 48, 90, 120, 160, 206])
  })

  test('with words only the rows that hold them, misspelled or not, and how often they occur', async () => {
    const found = await run('timeline', { about: 'falcon' })
    expect(found.evidence).toHaveLength(2)
    expect(found.text).toMatch(/occurs 4 times/)
    expect((await run('timeline', { about: 'room number' })).evidence).toHaveLength(2)
  })

  test('knows the shots', async () => {
    const found = await run('timeline', { tracks: ['shot'] })
    expect(found.evidence.map(row => row.text)).toContain('Shot 5 of 5')
  })

  test('says when it shows only a part', async () => {
    const found = await run('timeline', { tracks: ['speech'], limit: 3 })
    expect(found.evidence).toHaveLength(3)
    expect(found.text).toMatch(/first 3 of 18/)
  })
})

describe('tools that need a model', () => {
  test('look says plainly what is missing', async () => {
    await expect(run('look', { start: 0, end: 5, question: 'Who?' })).rejects.toThrow(/vision is off/)
    const blind: ChatModel = {
      id: 'chat/blind',
      accepts: new Set(['text']),
      reply: () => Promise.reject(new Error('never')),
    }
    const vision = async () => ({ by: 'chat/blind', service: blind })
    await expect(run('look', { start: 0, end: 5, question: 'Who?' }, { vision })).rejects.toThrow(
      /needs a vision model/,
    )
  })

  test('transcribe hears a span again and stamps what it heard', async () => {
    const asked: unknown[] = []
    const service: Transcriber = {
      async *transcribe({ spans }) {
        asked.push(...spans)
        yield { span: { start: 12, end: 14 }, track: 'speech', text: 'again' }
      },
    }
    const retranscribe = async () => ({ by: 'transcribe/large', service })
    const found = await run('transcribe', { start: 10, end: 20 }, { retranscribe }, { audio: async () => audio })
    expect(asked).toEqual([{ start: 10, end: 20 }])
    expect(found.evidence[0]).toMatchObject({ text: 'again', by: 'transcribe/large', video: index.video.id })
  })

  test('a video without sound cannot be transcribed or listened to, and says so', async () => {
    await expect(run('transcribe', { start: 0, end: 5 })).rejects.toThrow(/no audio track/)
    await expect(run('listen', { start: 0, end: 5 })).rejects.toThrow(/no audio track/)
  })

  test('listen falls back to what finds sounds, and the row says who heard', async () => {
    const service: Listener = {
      async *hear() {
        yield { span: { start: 1, end: 2 }, track: 'sound', text: 'knock' }
      },
    }
    const hear = async () => ({ by: 'hear/signal', service })
    const found = await run('listen', { start: 0, end: 5 }, { hear }, { audio: async () => audio })
    expect(found.evidence[0]!.by).toBe('hear/signal')
  })

  test('read_text reads each text once, with the span in which it was seen', async () => {
    const frame = (time: number) => ({ time, width: 1, height: 1, rgb: new Uint8Array(3) })
    const service: TextReader = {
      read: async frames =>
        frames.map(() => [{ text: 'EXIT', confidence: 0.9, box: { x: 0, y: 0, width: 1, height: 1 } }]),
    }
    const readText = async () => ({ by: 'read-text/fine', service })
    const frames = async (times: number[]) => times.map(frame)
    const found = await run('read_text', { start: 216, end: 222 }, { readText }, { frames })
    expect(found.evidence.map(row => row.text)).toEqual(['EXIT'])
  })

  test('verify_claim returns the verdict and the reason as a row', async () => {
    const service: ChatModel = {
      id: 'chat/judge',
      accepts: new Set(['text']),
      reply: async () => ({
        text: 'Well: {"verdict":"contradicted","reason":"it is blue falcon"}',
        calls: [],
        stop: 'end',
        usage: { inputTokens: 3, outputTokens: 2 },
        model: 'judge',
      }),
    }
    const verifier = async () => ({ by: 'chat/judge', service })
    const found = await run('verify_claim', { claim: 'The password is red hawk.', start: 50, end: 60 }, { verifier })
    expect(found.evidence[0]).toMatchObject({
      track: 'claim',
      text: expect.stringMatching(/^contradicted: The password is red hawk/),
    })
  })
})
