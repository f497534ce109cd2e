import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StageContext } from '../../../src/core/stage.ts'
import type { Frame, Still } from '../../../src/core/video.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { stageNews } from '../../../src/runtime/index/preprocess.ts'
import { readStage } from '../../../src/store/stage/stage.ts'
import { type GivenContext, stageContext } from '../../../tests/support/stage-context.ts'
import { earlyStills } from '../early.ts'
import { overStills } from './over-stills.ts'

let folder = ''
let file = ''
let length = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-stills-'))
  file = join(folder, 'stills.bin')
  const jpeg = await encodeJpeg({ time: 0, width: 16, height: 16, rgb: new Uint8Array(768) })
  length = jpeg.length
  await writeFile(file, Buffer.concat(Array.from({ length: 10 }, () => jpeg)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const still = (number: number, time = number): Still => ({
  ...{ time, reason: 'shot', width: 16, height: 16 },
  ...{ offset: number * length, length, shot: number },
})
const timesOf = (frames: readonly Frame[]) => frames.map(({ time }) => time)

// A decoding that goes on until `end`, and one who goes over its stills in groups.
function decoding() {
  const halt = new AbortController()
  const { signal } = halt
  const { news, end } = stageNews([{ name: 'decode', after: [] }], signal)
  const tell = (numbers: number[], place = file) =>
    news.publish(earlyStills, { stills: numbers.map(number => still(number)), file: place })
  const over = async (
    size: number,
    work: (times: number[]) => void | Promise<void>,
    given: GivenContext = {},
    atOnce?: number,
    isRepeat?: (still: Still) => boolean,
  ) => {
    const out = {} as StageContext['out']
    const context = stageContext({
      out,
      signal,
      pipeline: news,
      results: { result: () => readStage(folder) },
      ...given,
    })
    return overStills(context, {
      size,
      atOnce: () => atOnce,
      isRepeat,
      async work(frames) {
        await work(timesOf(frames))
        return timesOf(frames).map(time => `seen at ${time}`)
      },
    })
  }
  return { tell, over, halt, end: () => end('decode') }
}

async function finished(stills: Still[]): Promise<void> {
  await writeFile(join(folder, 'stills.json'), JSON.stringify(stills))
  await writeFile(join(folder, 'shots.json'), '[]')
}

test('stills are worked on before the decoding is over, each once, and the result follows the final list', async () => {
  const { tell, over, end } = decoding()
  tell([0, 1, 2, 3, 4])
  const late = still(9, 1.5) // for a shot that had none: it lies in the middle
  await finished([still(0), still(1), late, still(2), still(3), still(4), still(5)])
  const groups: number[][] = []
  const { stills, made } = await over(2, times => {
    groups.push(times)
    if (groups.length === 2) end()
  })
  expect(groups).toEqual([[0, 1], [2, 3], [1.5, 4], [5]])
  const seen = [0, 1, 1.5, 2, 3, 4, 5].map(time => `seen at ${time}`)
  expect(stills.map(({ offset }) => made.get(offset))).toEqual(seen)
})

test('stills that are told of one by one are waited for', async () => {
  const { tell, over, end } = decoding()
  tell([0])
  await finished([0, 1, 2].map(number => still(number)))
  setTimeout(() => tell([1]), 5)
  const seen: number[] = []
  await over(1, ([time]) => {
    seen.push(time!)
    if (time === 1) end()
  })
  expect(seen).toEqual([0, 1, 2])
})

test('a still that looks like the one before it takes its result, and where an ablation chooses each is worked on', async () => {
  const { over, end } = decoding()
  end()
  const stills = [still(0), { ...still(1), reason: 'interval' as const }, still(2)]
  await finished(stills)
  const seen: number[] = []
  const isRepeat = ({ reason }: Still) => reason === 'interval'
  const { made } = await over(2, times => void seen.push(...times), {}, undefined, isRepeat)
  expect(seen).toEqual([0, 2])
  expect(stills.map(({ offset }) => made.get(offset))).toEqual(['seen at 0', 'seen at 0', 'seen at 2'])
  const all: number[] = []
  await over(2, times => void all.push(...times), { keepsStill: () => true }, undefined, isRepeat)
  expect(all).toEqual([0, 1, 2])
})

test('where the first file is gone the finished one is opened', async () => {
  const { tell, over, end } = decoding()
  tell([0, 1], join(folder, 'gone.bin'))
  await finished([still(0), still(1)])
  setTimeout(end, 5)
  const seen: number[] = []
  await over(1, ([time]) => void seen.push(time!))
  expect(seen).toEqual([0, 1])
})

test('where an ablation chooses among the stills none is taken early', async () => {
  const { tell, over, end } = decoding()
  tell([0, 1])
  await finished([still(0), still(1)])
  setTimeout(end, 5)
  const seen: number[] = []
  const { stills } = await over(1, ([time]) => void seen.push(time!), { keepsStill: ({ time }) => time === 1 })
  expect(seen).toEqual([1])
  expect(stills).toEqual([still(1)])
})

test('a backend that takes so many at once gets groups of that size, and the next one while it works on one', async () => {
  const { tell, over, end } = decoding()
  tell([])
  await finished(Array.from({ length: 10 }, (_, number) => still(number)))
  end()
  const events: string[] = []
  let begin = () => {}
  const secondBegins = new Promise<void>(resolve => {
    begin = resolve
  })
  const work = async (times: number[]) => {
    events.push(`begins ${times}`)
    if (times.includes(4)) begin()
    if (times.includes(0)) await secondBegins
    await new Promise(resolve => setTimeout(resolve, 40)) // in which a third one could begin
    events.push(`ends ${times}`)
  }
  const { made, stills } = await over(2, work, {}, 4)
  const at = (event: string) => events.indexOf(event)
  expect(at('begins 4,5,6,7')).toBeLessThan(at('ends 0,1,2,3'))
  expect(at('begins 8,9')).toBeGreaterThan(at('ends 0,1,2,3')) // never more than two
  expect(events).toHaveLength(6)
  expect(stills.map(({ offset }) => made.get(offset))).toEqual(stills.map(({ time }) => `seen at ${time}`))
})

test('what fails in one group ends the work with its error, after the group that was begun', async () => {
  const { tell, over, end } = decoding()
  tell([])
  await finished(Array.from({ length: 10 }, (_, number) => still(number)))
  end()
  const begun: number[] = []
  let beginsFour = () => {}
  const four = new Promise<void>(resolve => {
    beginsFour = resolve
  })
  const work = async ([first = 0]: number[]) => {
    begun.push(first)
    if (first === 2) {
      await four
      throw new Error('the model broke')
    }
    if (first === 4) beginsFour()
    await new Promise(resolve => setTimeout(resolve, first === 4 ? 10 : 0))
  }
  await expect(over(2, work, {}, 2)).rejects.toThrow('the model broke')
  expect(begun.sort()).toEqual([0, 2, 4]) // two are decoded at once: either may come first
})

test('a decoding that failed stops those who wait for its stills', async () => {
  const { tell, over, halt, end } = decoding()
  tell([0])
  const work = over(2, () => {})
  halt.abort(new Error('the file is damaged'))
  end()
  await expect(work).rejects.toThrow('the file is damaged')
})
