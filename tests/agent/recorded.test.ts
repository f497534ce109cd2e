import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../src/core/chat.ts'
import { errorText } from '../../src/core/errors.ts'
import type { Listener, Transcriber } from '../../src/core/services.ts'
import { parseTime, touches } from '../../src/core/time.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { ask } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import type { Recording } from './record-replies/recording.ts'
import { wordsOf } from './scripted-model.ts'
import { seeingModel } from './seen-index.ts'

// Conversations in which a person answered the requests of the graph converse by hand, from what they showed and nothing else. Each
// is held against the requests of today: what a reply rested on must still be shown, and the answer must come out as it was meant.
// A reply names a frame by its time ("@0:41.2") and a row by its first words ("#please take the bus").
const folder = join(import.meta.dirname, 'recorded')
const recordings = readdirSync(folder).map(file => [file.replace('.json', ''), read(file)] as const)

function read(file: string): Recording {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

describe.each(recordings)('%s', (_, recorded) => {
  test('is answered as it was by hand, from what the requests show', async () => {
    const { question, options, replies, verdicts } = recorded
    const lost: string[] = []
    const planner = seeingModel((request, n) => {
      if (request.schema) return verdictsOf(request, verdicts ?? [])
      const reply = replies[n - planner.requests.filter(one => one.schema).length]
      if (!reply) throw new Error(`Request ${n} has no recorded reply: ${wordsOf(request).slice(-600)}`)
      const shown = (given: unknown) => {
        try {
          return resolved(given, request)
        } catch (error) {
          lost.push(errorText(error))
          return given
        }
      }
      const calls = reply.calls.map((one, at) => ({ id: `c${at}`, name: one.name, arguments: shown(one.arguments) }))
      return { text: reply.text ?? '', calls }
    })
    const more = { planner, writer: planner, verifier: planner, graph: 'converse', options, budget: { frames: 512 } }
    const made = await ask(indexOf(recorded), question, { ...more, ...sensesOf(recorded) })
    expect(lost).toEqual([])
    const given = replies.at(-1)?.calls[0]?.arguments as { text: string; claims: { text: string; cites: string[] }[] }
    expect(planner.requests.filter(one => !one.schema)).toHaveLength(replies.length)
    expect(made.answer.text).toContain(given.text.replace(/[.!?]+$/, ''))
    if (given.claims.length > 0)
      expect(made.answer.sentences.map(one => one.text)).toEqual(given.claims.map(one => one.text))
    for (const [at, claim] of given.claims.entries())
      expect(made.answer.sentences[at]?.cites).toHaveLength(new Set(claim.cites).size)
    expect(made.answer.choice).toBe((given as { choice?: number }).choice)
    expect(made.answer.abstained).toBe(given.claims.length === 0)
    expect(made.answer.degraded.filter(note => /interval|time "/.test(note))).toEqual([])
    expect(made.stop).toBe('answered')
  })
})

test('at least twelve conversations are held, over counting, order, motion, colours, text, speech, sound, why and summary', () => {
  expect(recordings.length).toBeGreaterThanOrEqual(12)
  const about = recordings.map(([, one]) => one.about).join(' ')
  for (const kind of ['counting', 'order', 'motion', 'colours', 'text', 'speech', 'sound', 'why', 'summary'])
    expect(about).toContain(kind)
})

function indexOf({ duration, rows, changes }: Recording): VideoIndex {
  const made = handMadeIndex({ duration, rows })
  const picture = { index: 0, codec: 'h264', width: 64, height: 36, start: 0, rotation: 0, hdr: false }
  const sound = { index: 1, codec: 'aac', channels: 1, sampleRate: 16_000, start: 0 }
  const still = (time: number) => ({
    time,
    shot: 0,
    reason: 'change' as const,
    width: 64,
    height: 36,
    offset: 0,
    length: 1,
  })
  return { ...made, video: { ...made.video, picture, sound }, stills: changes.map(still) }
}

// Frames that look alike between two changes, and ears that hear what was heard.
function sensesOf({ changes, heard }: Recording) {
  const level = (time: number) => 40 * (changes.filter(change => change <= time + 0.05).length % 6)
  const transcriber = {
    async *transcribe({ spans }: { spans: readonly { start: number; end: number }[] }) {
      yield* heard.filter(row => spans.some(span => touches(row.span, span)))
    },
  } as unknown as Transcriber
  const listener = { async *hear() {} } as unknown as Listener
  return {
    draw: async (times: number[]) =>
      times.map(time => ({ time, width: 64, height: 36, rgb: new Uint8Array(64 * 36 * 3).fill(level(time)) })),
    services: {
      retranscribe: async () => ({ by: 'transcribe/hand', service: transcriber }),
      listen: async () => ({ by: 'listen/hand', service: listener }),
    },
  }
}

function resolved(given: unknown, request: ChatRequest): unknown {
  if (typeof given === 'string' && /^[@#]/.test(given))
    return given[0] === '@' ? frameAt(given.slice(1), request) : rowOf(given.slice(1), request)
  if (Array.isArray(given)) return given.map(one => resolved(one, request))
  if (given && typeof given === 'object')
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, resolved(one, request)]))
  return given
}

const within = 1.6 // seconds: what a frame may lie beside the recorded one, as films are sampled anew

function frameAt(label: string, request: ChatRequest): string {
  const time = parseTime(label) ?? 0
  const frames = [
    ...wordsOf(request).matchAll(/^([a-z][0-9a-f]{10}) (\d+:\d\d\.\d)(?:, unchanged until (\d+:\d\d\.\d))?/gm),
  ]
    .filter(([line]) => !line.includes('-'))
    .map(([, id = '', at = '', until]) => {
      const [start, end] = [parseTime(at) ?? 0, parseTime(until ?? at) ?? 0]
      return { id, away: time >= start && time <= end ? 0 : Math.min(Math.abs(start - time), Math.abs(end - time)) }
    })
    .sort((a, b) => a.away - b.away)
  const [nearest] = frames
  if (!nearest || nearest.away > within)
    throw new Error(`No frame at ${label} is shown; the nearest is ${nearest?.away} s away.`)
  return nearest.id
}

function rowOf(words: string, request: ChatRequest): string {
  const line = wordsOf(request)
    .split('\n')
    .findLast(one => /^[a-z][0-9a-f]{10} /.test(one) && one.includes(words))
  if (!line) throw new Error(`No row with "${words}" is shown.`)
  return line.slice(0, 11)
}

function verdictsOf(request: ChatRequest, verdicts: NonNullable<Recording['verdicts']>) {
  const numbers = [...wordsOf(request).matchAll(/^(\d+)\. .*\(cites/gm)].map(([, number]) => Number(number))
  return { text: JSON.stringify({ claims: numbers.map((claim, at) => ({ claim, ...verdicts[at] })) }), calls: [] }
}

test('a conversation whose request has lost a frame or row fails by its name', () => {
  const bare: ChatRequest = { purpose: 'plan', messages: [] }
  expect(() => resolved(['@0:41.2'], bare)).toThrow('No frame at 0:41.2')
  expect(() => resolved({ cites: ['#please take'] }, bare)).toThrow('No row with "please take"')
})
