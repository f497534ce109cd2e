import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageEncoder, TextReader, Transcriber } from '../../src/core/services.ts'
import type { Span } from '../../src/core/time.ts'
import type { AudioSource, Still, Video } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { runStage } from '../../src/store/stage.ts'
import { openJournal } from './journal.ts'
import { speechStage } from './speech.ts'
import type { StageContext } from './stage.ts'
import { openStills } from './still-file.ts'
import type { StillSource } from './still-source.ts'
import { textStage } from './text.ts'
import { vectorsStage } from './vectors.ts'

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
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const video = { id: 'v', duration: 4000 } as Video
const brightness = ({ rgb }: { rgb: Uint8Array }) => rgb[0]
const { signal } = new AbortController()

// A stage that is stopped in the middle, torn as a kill may tear it, and run again; and one that is never stopped.
async function stoppedAndGoneOn(name: string, file: string, make: (context: StageContext) => Promise<void>) {
  const run = (home: string) =>
    runStage({
      ...{ folder: join(folder, home), stage: name, key: 'k', by: 'x', settings: {}, inputs: {}, video: 'v', signal },
      make: out => make({ video, out, progress: () => {}, signal }),
    })
  await expect(run(`${name}-stopped`)).rejects.toThrow('stopped here')
  await appendFile(join(folder, `${name}-stopped/parts/${name}-k/made.jsonl`), '["torn", ')
  const read = async ({ folder }: { folder: string }) => readFile(join(folder, file))
  return { again: await read(await run(`${name}-stopped`)), whole: await read(await run(`${name}-whole`)) }
}

function source(): Promise<StillSource> {
  const shots = [{ start: 0, end: 80, opens: 'start' as const }]
  return openStills(join(folder, 'stills.bin')).then(file => ({
    file,
    early: async function* () {},
    whole: async () => ({ stills, shots }),
  }))
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
  const { again, whole } = await stoppedAndGoneOn('text', 'evidence.jsonl', async context => {
    const from = await source()
    await textStage(context, reader, 'x', from).finally(() => from.file.close())
  })
  expect(again.equals(whole)).toBe(true)
  expect(again.toString()).toContain('shade')
  expect(seen).toHaveLength(80) // forty for each of the two
})

test('vectors that were made before a stop are not made again, and are told of in order', async () => {
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
  const told: number[][] = []
  const { again, whole } = await stoppedAndGoneOn('vectors', 'vectors.f16', async context => {
    const from = await source()
    const mine: number[] = []
    told.push(mine)
    await vectorsStage(context, encoder, from, async group => {
      mine.push(...group.map(({ time }) => time))
    }).finally(() => from.file.close())
  })
  expect(again.equals(whole)).toBe(true)
  expect(again).toHaveLength(40 * 2 * 2)
  expect(made).toBe(80)
  expect(told[1]).toEqual(stills.map(({ time }) => time))
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
  const { again, whole } = await stoppedAndGoneOn('speech', 'evidence.jsonl', context =>
    speechStage(context, transcriber, 'x', {} as AudioSource, spans),
  )
  expect(again.equals(whole)).toBe(true)
  expect(again.toString().trim().split('\n')).toHaveLength(60)
  expect(asked[4]).toEqual(asked[3]) // the one that was stopped, again
  const everyWindow = asked.slice(asked.length - Math.ceil((asked.length - 1) / 2))
  expect(everyWindow.flat()).toEqual(spans)
  for (const window of everyWindow.slice(1)) {
    const before = spans[spans.indexOf(window[0]) - 1]
    expect(window[0].start - before.end).toBeGreaterThanOrEqual(1)
  }
})

test('a line of a stopped run in which a byte was changed is made again, and so is what follows it', async () => {
  const at = await mkdtemp(join(folder, 'changed-'))
  const { stageParts } = await import('../../src/store/stage-parts.ts')
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
