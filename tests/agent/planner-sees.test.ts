import { MemorySaver } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { openGraph } from '../../graphs/index.ts'
import { partsOf as chapterParts } from '../../graphs/policies/skim.ts'
import type { ChatReply } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { decodeImage } from '../../src/media/image.ts'
import { recordCalls } from '../../src/store/call-log/record.ts'
import { type AskMore, ask, partsOf } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'
import { imagesIn, paintOf, seeingModel, timesShown, withStills, wordsIn } from './seen-index.ts'

const news = withStills(handMadeIndex(museum), 5)
const question = 'What is the password?'
const alone = {
  lookBeforeAnswer: false,

  noveltyGuard: false,
  relevanceFilter: false,
}
const ready: Partial<ChatReply> = { text: 'READY' }
const call = (name: string, args: unknown, text = ''): Partial<ChatReply> => ({
  text,
  calls: [{ id: 'c', name, arguments: args }],
})
const look = (start: number, end: number) => call('look', { start, end, question: 'Who is there?', frames: 3 })
const asked = (more: AskMore, text = question, index = news) =>
  ask(index, text, { paint: paintOf(index), ...more, policy: { ...alone, ...more.policy } })
// The id of the row that stands for the pictures of the last call.
const rowIn = (words: string) => [...words.matchAll(/\b(p[0-9a-f]{10})\b/g)].at(-1)?.[1] ?? ''

describe('before its first call a planner that sees', () => {
  test('gets a sheet a chapter, with frames of all shots and their times, and is told how to speak of them', async () => {
    const planner = seeingModel(() => ready)
    const { spent } = await asked({ planner })
    const [first] = planner.requests
    const shown = timesShown(first)
    expect(shown).toHaveLength(museum.chapters?.length ?? 0)
    for (const [i, { start, end }] of (museum.chapters ?? []).entries())
      for (const time of shown[i] ?? []) expect(time >= start && time < end).toBe(true)
    const all = shown.flat()
    expect(all).toHaveLength(24)
    expect(all).toEqual([...all].sort((a, b) => a - b))
    for (const { start, end } of news.shots) expect(all.some(time => time >= start && time < end)).toBe(true)
    expect(imagesIn(first)).toHaveLength(shown.length)
    expect(spent.frames).toBe(24)
    expect(wordsIn(first)).toMatch(/Contact sheets of the whole video/)
    expect(wordsIn(first)).not.toMatch(/You do not see the video/)
    expect(first?.tools?.map(tool => tool.name)).toContain('skim')
  })

  test('sees the very frames: the grey of each cell is that of its second', async () => {
    const planner = seeingModel(() => ready)
    await asked({ planner })
    const [sheet] = await Promise.all(imagesIn(planner.requests[0]).map(jpeg => decodeImage(jpeg)))
    const [times] = timesShown(planner.requests[0])
    expect(sheet?.rgb[0]).toBeCloseTo(times?.[0] ?? -1, -1)
  })

  test('is not shown what could not be decoded', async () => {
    const spans = [
      { start: 0, end: 80 },
      { start: 130, end: 240 },
    ]
    const index = withStills(handMadeIndex({ ...museum, coverage: { picture: { state: 'partial', spans } } }), 5)
    const planner = seeingModel(() => ready)
    await asked({ planner }, question, index)
    const times = timesShown(planner.requests[0]).flat()
    expect(times.length).toBeGreaterThan(10)
    expect(times.filter(time => time >= 80 && time < 130)).toEqual([])
  })

  test('is shown no more than a quarter of the frames that are left, and at most what the setting says', async () => {
    const planners = [seeingModel(() => ready), seeingModel(() => ready), seeingModel(() => ready)]
    await asked({ planner: planners[0], budget: { frames: 40 } })
    await asked({ planner: planners[1], policy: { skimFrames: 16 } })
    await asked({ planner: planners[2], budget: { frames: 3 } })
    expect(planners.map(planner => timesShown(planner.requests[0]).flat().length)).toEqual([10, 16, 0])
  })

  test('is shown nothing where the policy is off, and has no tool for it', async () => {
    const planner = seeingModel(() => ready)
    const { spent } = await asked({ planner, policy: { skim: false } })
    expect(imagesIn(planner.requests[0])).toEqual([])
    expect(planner.requests[0]?.tools?.map(tool => tool.name)).not.toContain('skim')
    expect(spent.frames).toBe(0)
  })
})

test('a planner that takes only text is asked to the byte what it was asked before', async () => {
  const requests = await Promise.all(
    [{ paint: paintOf(news) }, { paint: paintOf(news), policy: { ...alone, skim: false, lookItself: true } }, {}].map(
      async more => {
        const planner = seeingModel((_, n) => (n === 0 ? call('search', { query: 'password' }) : ready))
        Object.assign(planner, { accepts: new Set(['text']) })
        await ask(news, question, { planner, policy: alone, ...more })
        return planner.requests
      },
    ),
  )
  expect(requests[0]).toHaveLength(2)
  const [seen, , before] = requests.map(all => JSON.stringify(all))
  expect(seen).toBe(before)
  expect(JSON.stringify(requests[1])).toBe(before)
  expect(before).not.toMatch(/sight|skim|image/)
})

test('the chapters share the sheets: none has fewer than four cells, and none is left out', () => {
  const chapters = Array.from({ length: 30 }, (_, i) => ({ span: { start: i * 10, end: i * 10 + 10 } }))
  const whole = { start: 0, end: 300 }
  const parts = chapterParts(chapters, whole, 64)
  expect(parts).toHaveLength(16)
  expect([parts[0]?.start, parts.at(-1)?.end]).toEqual([0, 300])
  for (const [i, part] of parts.entries()) expect(part.start).toBe(parts[i - 1]?.end ?? 0)
  expect(chapterParts([], whole, 64)).toEqual([{ start: 0, end: 300 }])
})

describe('when it asks', () => {
  test('the sheet of a span is a picture in its own prompt, and what it says of it can be cited', async () => {
    const planner = seeingModel((request, n) => {
      if (n === 0) return call('skim', { start: 30, end: 60, frames: 4 })
      return { text: `${rowIn(wordsIn(request))}: a red door with a brass knocker\nREADY` }
    })
    const writer = seeingModel(request => {
      const id =
        /(c[0-9a-f]{10}) \[0:30-1:00\] caption: seen by the planner: a red door/.exec(wordsIn(request))?.[1] ?? ''
      return { text: JSON.stringify({ sentences: [{ text: 'There is a red door.', cites: [id] }] }) }
    })
    const { answer, evidence, steps, spent } = await asked({ planner, writer, policy: { skim: true } })
    const [before, after] = planner.requests
    expect(imagesIn(after)).toHaveLength(imagesIn(before).length + 1)
    expect(timesShown(after).at(-1)).toHaveLength(4)
    const result = after?.messages.find(message => message.role === 'tool')
    expect(result?.content.map(part => part.type)).toEqual(['text', 'image'])
    expect(steps[0]).toMatchObject({ tool: 'skim', outcome: 'found', pictures: [{ cells: { length: 4 } }] })
    expect(spent.frames).toBe(24 + 4)
    expect(answer.sentences).toMatchObject([{ text: 'There is a red door.', verdict: 'supported' }])
    expect(evidence.find(row => row.id === answer.sentences[0]?.cites[0])).toMatchObject({
      track: 'caption',
      by: planner.id,
      span: { start: 30, end: 60 },
    })
  })

  test('a sheet that the budget of frames does not hold is not shown', async () => {
    const planner = seeingModel((_, n) => (n === 0 ? call('skim', { start: 0, end: 100, frames: 16 }) : ready))
    const { steps, spent } = await asked({ planner, budget: { frames: 20 } })
    expect(steps[0]).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/16 frames.*15 left/) })
    expect(imagesIn(planner.requests[1])).toHaveLength(imagesIn(planner.requests[0]).length)
    expect(spent.frames).toBe(5)
  })

  test('what it makes up of rows that it was not shown is no evidence', async () => {
    const planner = seeingModel(() => ({ text: 'p0123456789: a dragon\nREADY' }))
    const { evidence } = await asked({ planner })
    expect(evidence.filter(row => row.track === 'caption')).toEqual([])
  })
})

describe('a look', () => {
  const vision = () => seeingModel(() => ({ text: 'A man with a hat.' }))
  const run = async (planner: ReturnType<typeof seeingModel>, lookItself: boolean, more: AskMore = {}) => {
    const model = vision()
    const services = { vision: async () => ({ by: 'chat/vision', service: model }) }
    const policy = { skim: false, lookItself }
    return { model, state: await asked({ planner, services, frames: 3, ...more, policy }) }
  }

  test('goes to the vision model as words, or to the planner as pictures where that is switched on', async () => {
    const planners = [0, 1].map(() => seeingModel((_, n) => (n === 0 ? look(60, 66) : ready)))
    const [words, pictures] = [await run(planners[0]!, false), await run(planners[1]!, true)]
    expect(words.model.requests).toHaveLength(1)
    expect(imagesIn(planners[0]?.requests[1])).toEqual([])
    expect(wordsIn(planners[0]?.requests[1])).toMatch(/A man with a hat/)
    expect(pictures.model.requests).toHaveLength(0)
    expect(imagesIn(planners[1]?.requests[1])).toHaveLength(3)
    expect(timesShown(planners[1]?.requests[1]).flat()).toEqual(
      pictures.state.steps[0]?.pictures?.map(one => one.cells[0]?.times[0]),
    )
    expect([words.state.spent.frames, pictures.state.spent.frames]).toEqual([3, 3])
    expect(pictures.state.evidence.some(row => row.track === 'picture' && /^picture at 1:0/.test(row.text))).toBe(true)
  })

  test('of which it says nothing is asked about once, and the answer says so in the end', async () => {
    const silent = seeingModel((_, n) => (n === 0 ? look(60, 66) : ready))
    const { state } = await run(silent, true)
    expect(silent.requests).toHaveLength(3)
    expect(wordsIn(silent.requests[2])).toMatch(/have not said what they show/)
    expect(state.answer.degraded.join(' ')).toMatch(/looked at \[1:00-1:06\] itself and did not say/)
    const late = seeingModel((request, n) =>
      n === 0 ? look(60, 66) : n === 1 ? ready : { text: `${rowIn(wordsIn(request))} - two children\nREADY` },
    )
    const told = await run(late, true)
    expect(told.state.answer.degraded.join(' ')).not.toMatch(/did not say/)
    expect(told.state.evidence.map(row => row.text)).toContain('seen by the planner: two children')
  })
})

describe('a prompt that is too long', () => {
  test('loses its oldest pictures first, then words', async () => {
    const limits = { images: 1, words: 4000 }
    const planner = seeingModel(request => {
      if (imagesIn(request).length > limits.images || wordsIn(request).length > limits.words)
        throw new BackendError('It does not fit.', { reason: 'context-overflow' })
      return ready
    })
    await asked({ planner })
    const counts = planner.requests.map(request => imagesIn(request).length)
    expect(counts).toEqual([3, 1, 1]) // then it is reminded of what it was shown
    expect(timesShown(planner.requests[1])).toEqual(timesShown(planner.requests[0]).slice(2))
    const system = (n: number) => wordsIn(planner.requests[n]).length
    expect(system(0) - system(1)).toBeLessThan(100) // the headings of two sheets
    limits.images = -1
    const tiny = seeingModel(request => {
      if (imagesIn(request).length > 0 || wordsIn(request).length > 3000)
        throw new BackendError('It does not fit.', { reason: 'context-overflow' })
      return ready
    })
    const long = withStills(
      handMadeIndex({ ...museum, chapters: museum.chapters?.map(one => ({ ...one, summary: 'w '.repeat(4000) })) }),
      5,
    )
    await asked({ planner: tiny }, question, long)
    expect(tiny.requests.map(request => imagesIn(request).length).slice(0, 4)).toEqual([3, 1, 0, 0])
    expect(wordsIn(tiny.requests[2]).length - wordsIn(tiny.requests[3]).length).toBeGreaterThan(3000)
  })

  test('pictures stay for three rounds, and then it is said that they were there', async () => {
    const planner = seeingModel((_, n) =>
      n === 0 ? call('skim', { start: 0, end: 60 }) : n < 5 ? call('search', { query: `w${n}` }) : ready,
    )
    await asked({ planner })
    expect(planner.requests.map(request => imagesIn(request).length)).toEqual([3, 4, 4, 1, 0, 0])
    expect(wordsIn(planner.requests[2])).not.toMatch(/not shown any more/)
    expect(wordsIn(planner.requests[3])).toMatch(/contact sheets of the whole video are not shown any more/)
    expect(wordsIn(planner.requests[3])).not.toMatch(/Its pictures are not/)
    expect(wordsIn(planner.requests[4])).toMatch(/Its pictures are not shown any more/)
  })
})

test('a server that refuses pictures after all is asked without them, and the answer says so', async () => {
  const planner = seeingModel(request => {
    if (imagesIn(request).length > 0) throw new BackendError('image_url is not supported by this model')
    return ready
  })
  const { answer, stop } = await asked({ planner })
  expect(planner.requests.map(request => imagesIn(request).length)).toEqual([3, 0])
  expect(stop).toBe('answered')
  expect(answer.degraded.join(' ')).toMatch(/shown no pictures: image_url is not supported/)
})

test('a run that goes on shows the same pictures as if it had not been stopped', async () => {
  const script = () =>
    seeingModel((_, n) => (n === 0 ? look(60, 66) : n === 1 ? call('skim', { start: 0, end: 60 }) : ready))
  const more = { frames: 3, paint: paintOf(news), policy: { ...alone, lookItself: true } }
  const whole = script()
  await ask(news, question, { ...more, planner: whole })
  const saver = new MemorySaver()
  const kept = { checkpoints: saver, thread: 'cut' }
  const graph = await openGraph('investigate')
  const first = script()
  const parts = await partsOf(news, question, { ...more, planner: first, kept })
  let plans = 0
  const dying = graph({
    ...parts,
    watch(event) {
      if (event.type === 'step' && event.name === 'plan' && ++plans === 3) throw new Error('killed')
    },
  })
  await expect(dying).rejects.toThrow('killed')
  const second = seeingModel((_, n) => (n < 1 ? ready : ready))
  const again = await graph(await partsOf(news, question, { ...more, paint: paintOf(news), planner: second, kept }))
  expect(first.requests).toHaveLength(2)
  expect(imagesIn(second.requests[0])).toEqual(imagesIn(whole.requests[2]))
  expect(timesShown(second.requests[0])).toEqual(timesShown(whole.requests[2]))
  expect(again.spent.frames).toBe(24 + 3 + 9)
})

test('a record holds each picture once, however often it was sent', async () => {
  const { mkdtemp, readdir } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = await mkdtemp(`${tmpdir()}/longtake-sight-`)
  const planner = seeingModel((_, n) => (n < 2 ? call('search', { query: `w${n}` }) : ready))
  await asked({ planner: recordCalls(folder, value => value).model(planner) })
  expect(planner.requests.flatMap(imagesIn)).toHaveLength(9)
  expect(await readdir(`${folder}/bytes`)).toHaveLength(3)
})

describe('a helper of a planner that sees', () => {
  const wish = { start: 40, end: 80, question: 'Which password is said for the guided tour?' }
  const isHelper = (words: string) => words.includes('is yours to search')

  test('is shown its span and nothing else, from the index as from its calls', async () => {
    const planner = seeingModel((request, n) => {
      if (!isHelper(wordsIn(request))) return n === 0 ? call('focus', wish) : ready
      if (request.messages.some(one => one.role === 'assistant')) return ready
      const calls = ['0', '100'].map(start => ({
        ...{ id: start, name: 'skim', arguments: { start: Number(start), end: Number(start) + 60, frames: 6 } },
      }))
      return { text: '', calls }
    })
    const { steps } = await asked({ planner })
    const shown = planner.requests.filter(request => isHelper(wordsIn(request))).map(timesShown)
    expect(shown).toHaveLength(3)
    // The sheet of its chapters, as far as they lie in the span, then those of its calls.
    expect(shown[0]).toHaveLength(1)
    expect(shown[0]?.flat()).toHaveLength(8)
    expect(shown[1]?.length).toBeGreaterThan(1)
    for (const time of shown.flat(2)) expect(time >= 40 && time <= 80).toBe(true)
    const inside = steps[0]?.helper?.map(step => [step.outcome, step.pictures?.length ?? 0])
    expect(inside).toEqual([
      ['found', 1],
      ['nothing', 0],
    ])
  })

  test('is not shown pictures that the model has refused before', async () => {
    const planner = seeingModel(request => {
      if (imagesIn(request).length > 0) throw new BackendError('It takes no images.', { retryable: false })
      return isHelper(wordsIn(request)) || request.messages.some(one => one.role === 'assistant')
        ? ready
        : call('focus', wish)
    })
    await asked({ planner })
    expect(planner.requests.filter(request => imagesIn(request).length > 0)).toHaveLength(1)
  })

  test('keeps the frames that are set aside for it from the other calls of the round', async () => {
    const planner = seeingModel((request, n) => {
      if (isHelper(wordsIn(request))) return ready
      const calls = [
        { id: 'b', name: 'skim', arguments: { start: 0, end: 240, frames: 16 } },
        { id: 'a', name: 'focus', arguments: wish },
      ]
      return n === 0 ? { text: '', calls } : ready
    })
    const { steps } = await asked({ planner, budget: { frames: 24 } })
    expect(steps[0]).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/16 frames.*12 left/) })
  })
})

test('further runs of a vote see what the first was shown, and pay for it no more', async () => {
  const planner = seeingModel(() => ready)
  const writer = seeingModel(() => ({
    text: JSON.stringify({ sentences: [{ text: 'It is not said.', cites: [] }], confidence: 0.6 }),
  }))
  const policy = { votes: true, votesFrom: 0, votesTo: 1 }
  const { weighed, spent } = await asked({ planner, writer, policy })
  expect(weighed?.votes?.runs).toHaveLength(3)
  expect(planner.requests.map(request => timesShown(request).flat().length)).toEqual([24, 24, 24, 24, 24, 24])
  expect(spent.frames).toBe(24)
})
