import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { meets } from '../../eval/benchmarks/needle/grade-expectation.ts'
import { makeNeedle, type NeedleVideo } from '../../eval/benchmarks/needle/make-folder.ts'
import type { NeedleRecord } from '../../eval/benchmarks/needle/record.ts'
import type { Span } from '../../src/core/time.ts'
import { scriptPath } from '../../src/media/render/script-file.ts'
import { simulatedModels } from '../simulated-sight/index.ts'
import { drawn, drawnScene } from '../support/drawn-script.ts'
import { ask, host } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { looked } from './looked.ts'

let folder: string
let videos: NeedleVideo[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-sight-'))
  const speechSeconds = async (text: string) => 0.4 + text.length * 0.06
  const made = (videos: number, people: boolean) => makeNeedle({ seed: 31, minutes: 6, videos, people }, speechSeconds)
  videos = [...(await made(6, true)).videos, ...(await made(2, false)).videos]
  for (const { name, script } of videos) await writeFile(join(folder, scriptPath(name)), JSON.stringify(script))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// Each question about the picture with what a look at its clue says.
async function looks(settings: object): Promise<{ record: NeedleRecord; said: string; score: number }[]> {
  const model = await simulatedModels.open('simulated', { truth: folder, ...settings }, host)
  const asked = videos.flatMap(video => video.records.filter(record => record.kind === 'fact-picture'))
  return Promise.all(
    asked.map(async record => {
      const [[start, end] = [0, 0]] = record.clue_intervals
      const said = await looked(model, { name: record.video, start, end, question: record.question })
      return { record, said, score: meets(record.expect, { text: said, question: record.question }) }
    }),
  )
}

describe('a look of simulated sight at the clue of a question about the picture', () => {
  test('answers every one right where it errs in nothing', async () => {
    const all = await looks({})
    expect(all.length).toBeGreaterThan(8)
    const asked = all.map(({ record }) => record.question)
    for (const form of [/shirt/, /trousers/, /hold/, /How many/, /colour are the (circle|square|triangle)s/])
      expect(asked.some(question => form.test(question))).toBe(true)
    expect(
      all.filter(({ score }) => score < 1).map(({ record, said }) => [record.question, record.answer, said]),
    ).toEqual([])
  })

  test('answers none where it misses everything', async () => {
    const all = await looks({ misses: 1 })
    expect(all.filter(({ score }) => score > 0)).toEqual([])
  })

  test('answers fewer the more it takes for something else', async () => {
    const right = async (confusions: number) => (await looks({ confusions })).filter(({ score }) => score === 1).length
    const [none, some, all] = [await right(0), await right(0.5), await right(1)]
    expect(some).toBeLessThan(none)
    expect(all).toBeLessThanOrEqual(some)
  })
})

describe('the rules with simulated sight', () => {
  const waving = { who: 'Ann', top: 'pink', trousers: 'black', doing: 'waves' } as const
  const empty = Array.from({ length: 15 }, () => drawnScene({ place: 'street' }))
  const script = drawn([...empty, drawnScene({ place: 'garden', people: [waving] }), drawnScene({ place: 'street' })])
  const made = handMadeIndex({ duration: 170, rows: [] })
  const index = { ...made, video: { ...made.video, name: 'garden.mp4' } }
  const answerTo = async (question: string, sees: boolean) => {
    await writeFile(join(folder, 'garden.script.json'), JSON.stringify(script))
    const service = await simulatedModels.open('simulated', { truth: folder }, host)
    const vision = async () => ({ by: 'chat/simulated', service })
    return ask(index, question, { frames: 8, ...(sees && { services: { vision } }) })
  }

  test.each([
    ['What colour is the shirt of the person who waves in the garden?', /pink/],
    ['Who waves in the garden?', /a person with brown hair in a pink top and black trousers/],
  ])('look on through the video until they see it: %s', async (question, told) => {
    const { answer, steps } = await answerTo(question, true)
    expect(answer.text).toMatch(told)
    expect(answer.abstained).toBe(false)
    expect(steps.filter(step => step.tool === 'look').length).toBeGreaterThan(1)
    const seen = steps.filter(step => step.tool === 'look').flatMap(step => step.input as Span)
    for (const second of [10, 100, 155])
      expect(seen.some(({ start, end }) => second >= start && second <= end)).toBe(true)
  })

  test('find a scene of three seconds in one look at a minute', async () => {
    const name = 'short.mp4'
    const scenes = [
      drawnScene({ place: 'street', seconds: 13 }),
      drawnScene({ place: 'garden', people: [waving], seconds: 3 }),
      drawnScene({ place: 'street', seconds: 44 }),
    ]
    await writeFile(join(folder, 'short.script.json'), JSON.stringify(drawn(scenes)))
    const service = await simulatedModels.open('simulated', { truth: folder }, host)
    const made = handMadeIndex({ duration: 60, rows: [] })
    const services = { vision: async () => ({ by: 'chat/simulated', service }) }
    const question = 'What colour is the shirt of the person who waves in the garden?'
    const short = { ...made, video: { ...made.video, name } }
    const { answer, steps } = await ask(short, question, { frames: 64, services })
    expect(answer.text).toMatch(/pink/)
    const [first] = steps.filter(step => step.tool === 'look').map(step => step.input as Span)
    expect(first).toMatchObject({ start: 0, end: 60 })
  })

  test('ask for no more looks than before where nothing sees', async () => {
    const { answer, steps } = await answerTo('Who waves in the garden?', false)
    expect(steps.filter(step => step.tool === 'look' && step.outcome === 'found')).toEqual([])
    expect(answer.abstained).toBe(true)
  })
})
