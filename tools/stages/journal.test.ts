import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { ImageEncoder, RoleServices, TextReader, Transcriber } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import type { Span } from '../../src/core/time.ts'
import type { Still, Video } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { vectorIndexes } from '../../src/search/vectors/index.ts'
import { findOrMakeStage, readStage } from '../../src/store/stage/stage.ts'
import { partFolder, stageParts } from '../../src/store/stage/stage-parts.ts'
import { type GivenContext, stageContext } from '../../tests/support/stage-context.ts'
import { earlyVectorIndex } from './early.ts'
import { openJournal, readPart } from './journal.ts'
import speech from './speech.ts'
import text from './text.ts'
import vectors from './vectors.ts'

type EarlyVectorIndex = NonNullable<(typeof earlyVectorIndex)['of']>

let folder = ''
let stills: Still[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-journal-'))
  const pictures = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      encodeJpeg({ time: 0, width: 16, height: 16, rgb: new Uint8Array(768).fill(i * 6) }),
    ),
  )
  let offset = 0
  stills = pictures.map((jpeg, i) => {
    const still: Still = { time: i * 2, reason: 'shot', width: 16, height: 16, offset, length: jpeg.length, shot: 0 }
    offset += jpeg.length
    return still
  })
  await writeFile(join(folder, 'stills.bin'), Buffer.concat(pictures))
  await writeFile(join(folder, 'stills.json'), JSON.stringify(stills))
  await writeFile(join(folder, 'shots.json'), JSON.stringify([{ start: 0, end: 80, opens: 'start' }]))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const video = { id: 'v', duration: 4000 } as Video
const brightness = ({ rgb }: { rgb: Uint8Array }) => rgb[0]!
const { signal } = new AbortController()

// A stage that is stopped in the middle, torn as a kill may tear it, and run again; and one that is never stopped.
async function stoppedAndGoneOn<R extends keyof RoleServices>(
  { name, make }: Stage<R>,
  file: string,
  service: RoleServices[R],
  given: GivenContext<R> = {},
) {
  const open = async () => ({ service, by: 'x' })
  const result = () => readStage(folder)
  const run = (home: string) =>
    findOrMakeStage({
      ...{ folder: join(folder, home), stage: name, key: 'k', by: 'x', settings: {}, inputs: {}, video: 'v', signal },
      make: out => make(stageContext<R>({ video, out, signal, open, ...given, results: { result, ...given.results } })),
    })
  await expect(run(`${name}-stopped`)).rejects.toThrow('stopped here')
  await appendFile(join(folder, `${name}-stopped/parts/${name}-k/made.jsonl`), '["torn", ')
  const read = async ({ folder }: { folder: string }) => readFile(join(folder, file))
  return { again: await read(await run(`${name}-stopped`)), whole: await read(await run(`${name}-whole`)) }
}

test('text that was read before a stop is not read again', async () => {
  const seen: number[] = []
  let left = 20
  const reader: TextReader = {
    async read(frames) {
      left -= frames.length
      if (left < 0) {
        left = 1000
        throw new Error('stopped here')
      }
      seen.push(...frames.map(brightness))
      return frames.map(frame => [
        { text: `shade ${brightness(frame)}`, confidence: 0.97, box: { x: 0, y: 0, width: 1, height: 1 } },
      ])
    },
  }
  const { again, whole } = await stoppedAndGoneOn(text, 'evidence.jsonl', reader)
  expect(again.equals(whole)).toBe(true)
  expect(again.toString()).toContain('shade')
  expect(seen).toHaveLength(80) // forty for each of the two
})

test('vectors that were made before a stop are not made again, and all of them are handed on in order', async () => {
  let left = 30
  let made = 0
  const encoder: ImageEncoder = {
    dimensions: 2,
    async images(frames) {
      left -= frames.length
      if (left < 0) {
        left = 1000
        throw new Error('stopped here')
      }
      made += frames.length
      return frames.map(frame => new Float32Array([brightness(frame) / 255, 1]))
    },
    text: async () => [],
  }
  const told: (readonly number[])[] = []
  const { again, whole } = await stoppedAndGoneOn(vectors, 'vectors.f16', encoder, {
    search: { words: async () => {}, vectors: vectorIndexes.exact.create },
    pipeline: {
      publish: (part, value) => void (part === earlyVectorIndex && told.push((value as EarlyVectorIndex).offsets)),
    },
  })
  expect(again.equals(whole)).toBe(true)
  expect(again).toHaveLength(40 * 2 * 2)
  expect(made).toBe(80)
  expect(told).toEqual([stills, stills].map(all => all.map(({ offset }) => offset)))
})

test('speech is transcribed in windows that end in a pause, and a stop loses no more than one', async () => {
  const spans: Span[] = Array.from({ length: 60 }, (_, i) => ({ start: i * 50, end: i * 50 + (i % 7 ? 49.5 : 30) }))
  const asked: Span[][] = []
  const transcriber: Transcriber = {
    async *transcribe({ spans }) {
      asked.push(spans)
      for (const [at, span] of spans.entries()) {
        if (asked.length === 4 && at === 2) throw new Error('stopped here')
        yield { span, track: 'speech', text: `words at ${span.start}`, confidence: 0.5 }
      }
    },
  }
  await writeFile(join(folder, 'voices.json'), JSON.stringify(spans))
  await writeFile(join(folder, 'sound.pcm'), '')
  const place = () => join(folder, 'sound.pcm')
  const published = <T>() => [{ file: place(), gaps: [] }] as T[]
  const { again, whole } = await stoppedAndGoneOn(speech, 'evidence.jsonl', transcriber, {
    results: { place },
    pipeline: { published },
  })
  expect(again.equals(whole)).toBe(true)
  expect(again.toString().trim().split('\n')).toHaveLength(60)
  expect(asked[4]).toEqual(asked[3]) // the one that was stopped, again
  const everyWindow = asked.slice(asked.length - Math.ceil((asked.length - 1) / 2))
  expect(everyWindow.flat()).toEqual(spans)
  for (const window of everyWindow.slice(1)) {
    const before = spans[spans.findIndex(({ start }) => start === window[0]!.start) - 1]!
    expect(window[0]!.start - before.end).toBeGreaterThanOrEqual(1)
  }
})

test('a line of a stopped run in which a byte was changed is made again, and so is what follows it', async () => {
  const at = await mkdtemp(join(folder, 'changed-'))
  const { stageParts } = await import('../../src/store/stage/stage-parts.ts')
  const open = () => openJournal<string>(stageParts(at, 'text', 'k', name => name).parts)
  const first = await open()
  await first.add([
    ['a', 'room 204'],
    ['b', 'room 205'],
    ['c', 'room 206'],
  ])
  await first.close()
  const file = join(at, 'parts/text-k/made.jsonl')
  await writeFile(file, (await readFile(file, 'utf8')).replace('205', '777'))
  const again = await open()
  expect(['a', 'b', 'c'].map(again.made)).toEqual(['room 204', undefined, undefined])
  await again.close()
})

test('what a stage has made so far is read beside it; a torn line and one of another shape are left out', async () => {
  const parts = join(folder, 'so-far')
  await mkdir(parts)
  const place = (name: string) => join(parts, name)
  const { parts: kept } = stageParts(parts, 'speech', 'k', place)
  const journal = await openJournal<unknown>(kept)
  await journal.add([
    ['a', ['one']],
    ['b', 2],
  ])
  const made = partFolder(parts, 'speech', 'k')
  await appendFile(join(made, 'made.jsonl'), '["c",["thr')
  expect(await readPart(made, z.string().array())).toEqual([['one']])
  expect(await readPart(join(parts, 'nothing'), z.string().array())).toEqual([])
  await journal.close()
})
