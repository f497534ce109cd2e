import { afterEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/evidence.ts'
import type { Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { jsonInstead } from '../../tests/servers/fault-server.ts'
import { closeAll, closeLater, never, openBackend } from '../../tests/servers/host.ts'
import { type OpenaiServer, startOpenaiServer } from '../../tests/servers/openai-server.ts'
import openai from './openai.ts'

afterEach(closeAll)

const audio: AudioSource = {
  duration: 100,
  rate: 16000,
  read: async span => new Float32Array(Math.round((span.end - span.start) * 16000)).fill(0.25),
}

async function start(settings: object = {}) {
  const server = closeLater(await startOpenaiServer({ models: ['whisper'] }))
  const transcriber = closeLater(await openBackend(openai, { url: server.url, model: 'whisper', ...settings }))
  const hear = async (spans: Span[], language?: string) => {
    const lines: Finding[] = []
    for await (const line of transcriber.transcribe({ audio, spans, language }, never)) lines.push(line)
    return lines
  }
  return { server, hear }
}

const form = (server: OpenaiServer, at = -1) => {
  const { body, headers } = server.seen.at(at) ?? { body: undefined, headers: {} }
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()
}
const word = (text: string, start: number, end: number, probability?: number) => ({
  word: text,
  start,
  end,
  probability,
})
const segment = (text: string, start: number, end: number, more = {}) => ({
  id: 0,
  text,
  start,
  end,
  tokens: [],
  ...more,
})

test('what is sent is a WAV of the speech alone, with the model and the language', async () => {
  const { server, hear } = await start({ prompt: 'Ada, Grace' })
  await hear([{ start: 10, end: 12 }], 'deu')
  const fields = await form(server)
  expect(Object.fromEntries([...fields.entries()].filter(([, value]) => typeof value === 'string'))).toMatchObject({
    model: 'whisper',
    language: 'de',
    response_format: 'verbose_json',
    prompt: 'Ada, Grace',
  })
  expect(fields.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
  const wav = Buffer.from(await (fields.get('file') as File).arrayBuffer())
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect(wav.readUInt32LE(24)).toBe(16_000)
  expect((wav.length - 44) / 32_000).toBeGreaterThan(2)
  expect((wav.length - 44) / 32_000).toBeLessThan(4)
})

describe('times are those of the video, however the server gives them', () => {
  const spans = [
    { start: 10, end: 12 },
    { start: 20, end: 22 },
  ]

  test('words beside the segments, as OpenAI and faster-whisper send them', async () => {
    const { server, hear } = await start()
    server.script.say({
      transcript: {
        text: 'Hello there. Bye.',
        words: [word(' Hello', 1, 1.3, 0.9), word(' there.', 1.3, 1.8, 0.7), word(' Bye.', 4, 4.5)],
        segments: [segment(' Hello there.', 0.9, 1.9), segment(' Bye.', 3.9, 4.6)],
      },
    })
    const lines = await hear(spans)
    expect(lines.map(line => [line.text, line.span.start, line.span.end])).toEqual([
      ['Hello there.', 10.2, 11],
      ['Bye.', 20.4, 20.9],
    ])
    expect(lines[0]).toMatchObject({ track: 'speech', confidence: 0.8 })
    expect(lines[0]!.words?.[1]).toMatchObject({ text: 'there.', start: 10.5, end: 11 })
    expect(lines[1]!.confidence).toBeUndefined()
  })

  test('words inside the segments, as whisper.cpp sends them', async () => {
    const { server, hear } = await start()
    server.script.say({
      transcript: { text: 'Hello', segments: [segment(' Hello', 0.9, 1.9, { words: [word(' Hello', 1, 1.3, 0.5)] })] },
    })
    expect(await hear(spans)).toMatchObject([{ text: 'Hello', span: { start: 10.2, end: 10.5 }, confidence: 0.5 }])
  })

  test('segments alone', async () => {
    const { server, hear } = await start()
    server.script.say({ transcript: { text: 'x', segments: [segment(' Hello there. ', 1, 2, { avg_logprob: -0.1 })] } })
    expect(await hear(spans)).toMatchObject([
      { text: 'Hello there.', span: { start: 10.2, end: 11.2 }, confidence: 0.905 },
    ])
  })

  test('text alone counts for one piece; for several there is no telling where', async () => {
    const { server, hear } = await start({ windowSeconds: 5 })
    server.script.say({ transcript: { text: ' Hello. ' } })
    expect(await hear([{ start: 10, end: 14 }])).toEqual([
      { text: 'Hello.', track: 'speech', span: { start: 10, end: 14 } },
    ])
    const wide = await start()
    wide.server.script.say({ transcript: { text: 'Hello.' } })
    await expect(wide.hear(spans)).rejects.toMatchObject({ hint: expect.stringContaining('windowSeconds') })
  })

  test('long speech goes in several calls, and the lines come in order', async () => {
    const { server, hear } = await start({ windowSeconds: 20, limits: { concurrency: 1 } })
    const one = (text: string) => ({ transcript: { text, segments: [segment(text, 1, 2)] } })
    server.script.say(one('first'), one('second'), one('third'))
    const lines = await hear([{ start: 0, end: 60 }])
    expect(server.seen.length).toBeGreaterThanOrEqual(2)
    expect(lines.map(line => line.text).slice(0, 2)).toEqual(['first', 'second'])
    const starts = lines.map(line => line.span.start)
    expect([...starts].sort((a, b) => a - b)).toEqual(starts)
  })
})

describe('what Whisper makes up is left out', () => {
  const spans = [{ start: 10, end: 12 }]

  test('lines over silence, lines of one phrase over and over, and words outside the speech', async () => {
    const { server, hear } = await start()
    server.script.say({
      transcript: {
        text: '',
        segments: [
          segment('Thank you for watching.', 0.9, 1.2, { no_speech_prob: 0.9, avg_logprob: -1.4 }),
          segment('ha ha ha ha ha', 1.2, 1.5, { compression_ratio: 5 }),
          segment('Real words.', 1.5, 2, { no_speech_prob: 0.1, avg_logprob: -0.2, compression_ratio: 1.1 }),
          segment('Subtitles by nobody', 3.2, 3.5),
        ],
      },
    })
    expect((await hear(spans)).map(line => line.text)).toEqual(['Real words.'])
  })

  test('a loop of one line keeps two', async () => {
    const { server, hear } = await start()
    server.script.say({
      transcript: { text: '', segments: [0.9, 1.2, 1.5, 1.8].map(at => segment('Okay.', at, at + 0.3)) },
    })
    expect(await hear(spans)).toHaveLength(2)
  })
})

test('silence is no line, and no speech is no call', async () => {
  const { server, hear } = await start()
  expect(await hear([{ start: 1, end: 3 }])).toEqual([])
  expect(server.seen).toHaveLength(1)
  expect(await hear([])).toEqual([])
  expect(server.seen).toHaveLength(1)
})

describe('servers that are not as the protocol has it', () => {
  test('an error with a good status is an error, and so is a reply without a transcript: neither is silence', async () => {
    const { server, hear } = await start({ limits: { attempts: 1 } })
    server.misbehave(jsonInstead(200, { error: 'failed to process audio' }))
    await expect(hear([{ start: 0, end: 4 }])).rejects.toThrow('failed to process audio')
    server.misbehave(jsonInstead(200, { status: 'queued' }))
    await expect(hear([{ start: 0, end: 4 }])).rejects.toThrow('no transcript')
    server.misbehave(jsonInstead(200, { text: '' }))
    expect(await hear([{ start: 0, end: 4 }])).toEqual([])
  })

  test('one that refuses the form with times is asked for the text alone', async () => {
    const { server, hear } = await start()
    server.misbehave(jsonInstead(400, { error: { message: 'Currently do not support verbose_json' } }))
    server.script.say({}, { transcript: { text: 'Good morning.' } })
    expect(await hear([{ start: 1, end: 4 }])).toMatchObject([{ text: 'Good morning.', span: { start: 1 } }])
    expect((await form(server)).get('response_format')).toBe('json')
    expect((await form(server)).has('timestamp_granularities[]')).toBe(false)
  })

  test('a path that is none of the protocol lies below the address as it is written', async () => {
    const server = closeLater(await startOpenaiServer({ models: ['whisper'] }))
    const url = new URL(server.url).origin
    const settings = { url, model: 'whisper', path: 'inference', limits: { attempts: 1 } }
    const transcriber = closeLater(await openBackend(openai, settings))
    server.misbehave(jsonInstead(200, { text: 'Good morning.' }))
    for await (const line of transcriber.transcribe({ audio, spans: [{ start: 1, end: 4 }] }, never))
      expect(line.text).toBe('Good morning.')
    expect(server.seen.at(-1)?.path).toBe('/inference')
  })
})
