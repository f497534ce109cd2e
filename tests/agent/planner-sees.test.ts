import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { MemorySaver } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { openGraph } from '../../graphs/index.ts'
import type { ChatReply } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
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
}
const ready: Partial<ChatReply> = { text: 'READY' }
const call = (name: string, args: unknown, text = ''): Partial<ChatReply> => ({
  text,
  calls: [{ id: 'c', name, arguments: args }],
})
const look = (start: number, end: number) => call('look', { start, end, question: 'Who is there?', frames: 3 })
const asked = (more: AskMore, text = question, index = news) =>
  ask(index, text, { paint: paintOf(index), ...more, policy: { ...alone, ...more.policy } })
// The id of the last frame that is shown, and of all of them in order.
const frameIds = (words: string) =>
  [...words.matchAll(/^([a-z][0-9a-f]{10}) \d+:\d\d(?:\.\d)?:$/gm)].map(match => match[1] ?? '')
const rowIn = (words: string) => frameIds(words).at(-1) ?? ''
const itself = { paint: paintOf(news), frames: 3, policy: { ...alone, lookItself: true } }

test('a planner that takes only text is asked to the byte what it was asked before', async () => {
  const requests = await Promise.all(
    [{ paint: paintOf(news) }, { paint: paintOf(news), policy: { ...alone, lookItself: true } }, {}].map(async more => {
      const planner = seeingModel((_, n) => (n === 0 ? call('search', { query: 'password' }) : ready))
      Object.assign(planner, { accepts: new Set(['text']) })
      await ask(news, question, { planner, policy: alone, ...more })
      return planner.requests
    }),
  )
  expect(requests[0]).toHaveLength(2)
  const [seen, , before] = requests.map(all => JSON.stringify(all))
  expect(seen).toBe(before)
  expect(JSON.stringify(requests[1])).toBe(before)
  expect(before).not.toMatch(/sight|image/)
})

test('what a planner makes up of rows that it was not shown is no evidence', async () => {
  const planner = seeingModel(() => ({ text: 'p0123456789: a dragon\nREADY' }))
  const { evidence } = await asked({ planner })
  expect(evidence.filter(row => row.track === 'caption')).toEqual([])
})

describe('a look', () => {
  const vision = () => seeingModel(() => ({ text: 'A man with a hat.' }))
  const run = async (planner: ReturnType<typeof seeingModel>, lookItself: boolean, more: AskMore = {}) => {
    const model = vision()
    const services = { vision: async () => ({ by: 'chat/vision', service: model }) }
    const policy = { lookItself }
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
    const rows = pictures.state.evidence.filter(row => row.track === 'picture')
    expect(rows.map(row => row.frame)).toEqual(pictures.state.steps[0]?.pictures?.map(one => one.cells[0]?.times[0]))
    expect(frameIds(wordsIn(planners[1]?.requests[1]))).toEqual(rows.map(row => row.id))
  })

  test('what the planner says of a frame is a row of that very moment, which the answer can cite', async () => {
    const planner = seeingModel((request, n) =>
      n === 0 ? look(60, 66) : { text: `${frameIds(wordsIn(request))[1]}: a red door with a brass knocker\nREADY` },
    )
    const writer = seeingModel(request => {
      const id =
        /(c[0-9a-f]{10}) \[[\d:-]+\] caption: seen by the planner: a red door/.exec(wordsIn(request))?.[1] ?? ''
      return { text: JSON.stringify({ sentences: [{ text: 'There is a red door.', cites: [id] }] }) }
    })
    const { answer, evidence } = await asked({ ...itself, planner, writer })
    expect(answer.sentences).toMatchObject([{ text: 'There is a red door.', verdict: 'supported' }])
    const remark = evidence.find(row => row.id === answer.sentences[0]?.cites[0])
    const frames = evidence.filter(row => row.track === 'picture')
    expect(remark).toMatchObject({ track: 'caption', by: planner.id, span: frames[1]?.span, frame: frames[1]?.frame })
  })

  test('of which it says nothing is asked about once, and the answer says so in the end', async () => {
    const silent = seeingModel((_, n) => (n === 0 ? look(60, 66) : ready))
    const { state } = await run(silent, true)
    expect(silent.requests).toHaveLength(3)
    expect(wordsIn(silent.requests[2])).toMatch(/have not said what the frames show/)
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
  test('loses its oldest frames first, then words', async () => {
    const limits = { images: 2, words: 100_000 }
    const planner = seeingModel((request, n) => {
      if (imagesIn(request).length > limits.images || wordsIn(request).length > limits.words)
        throw new BackendError('It does not fit.', { reason: 'context-overflow' })
      return n === 0 ? look(60, 66) : { text: `${rowIn(wordsIn(request))}: a door\nREADY` }
    })
    await asked({ ...itself, planner })
    expect(planner.requests.map(request => imagesIn(request).length)).toEqual([0, 3, 1])
    expect(timesShown(planner.requests[2])).toEqual(timesShown(planner.requests[1]).slice(2))
    const tiny = seeingModel((request, n) => {
      if (imagesIn(request).length > 0 || wordsIn(request).length > 4500)
        throw new BackendError('It does not fit.', { reason: 'context-overflow' })
      return n === 0 ? look(60, 66) : ready
    })
    const summary = 'w '.repeat(4000)
    const chapters = museum.chapters?.map(one => ({ ...one, summary }))
    await asked({ ...itself, planner: tiny }, question, withStills(handMadeIndex({ ...museum, chapters }), 5))
    expect(wordsIn(tiny.requests[0]).length - wordsIn(tiny.requests[1]).length).toBeGreaterThan(3000)
  })

  test('frames stay for three rounds, and then it is said that they were there', async () => {
    const planner = seeingModel((request, n) =>
      n === 0
        ? look(60, 66)
        : n < 6
          ? call('search', { query: `w${n}` }, n === 1 ? `${rowIn(wordsIn(request))}: a door` : '')
          : ready,
    )
    await asked({ ...itself, planner })
    expect(planner.requests.map(request => imagesIn(request).length)).toEqual([0, 3, 3, 3, 0, 0, 0])
    expect(wordsIn(planner.requests[3])).not.toMatch(/no longer shown/)
    expect(wordsIn(planner.requests[4])).toMatch(/Its frames are no longer shown/)
  })
})

test('a server that refuses pictures after all is asked without them, and the answer says so', async () => {
  const planner = seeingModel((request, n) => {
    if (imagesIn(request).length > 0) throw new BackendError('image_url is not supported by this model')
    return n === 0 ? look(60, 66) : ready
  })
  const { answer, stop } = await asked({ ...itself, planner })
  expect(planner.requests.map(request => imagesIn(request).length)).toEqual([0, 3, 0])
  expect(stop).toBe('answered')
  expect(answer.degraded.join(' ')).toMatch(/shown no pictures: image_url is not supported/)
})

test('a run that goes on shows the same frames as if it had not been stopped', async () => {
  const script = () => seeingModel((_, n) => (n === 0 ? look(60, 66) : n === 1 ? look(20, 26) : ready))
  const whole = script()
  await ask(news, question, { ...itself, planner: whole })
  const kept = { checkpoints: new MemorySaver(), thread: 'cut' }
  const graph = await openGraph('investigate')
  const first = script()
  const parts = await partsOf(news, question, { ...itself, planner: first, kept })
  let plans = 0
  const dying = graph({
    ...parts,
    watch(event) {
      if (event.type === 'step' && event.name === 'plan' && ++plans === 3) throw new Error('killed')
    },
  })
  await expect(dying).rejects.toThrow('killed')
  const second = seeingModel(() => ready)
  const again = await graph(await partsOf(news, question, { ...itself, planner: second, kept }))
  expect(first.requests).toHaveLength(2)
  expect(imagesIn(second.requests[0])).toEqual(imagesIn(whole.requests[2]))
  expect(timesShown(second.requests[0])).toEqual(timesShown(whole.requests[2]))
  expect(again.spent.frames).toBe(6)
})

test('a record holds each frame once, however often it was sent', async () => {
  const folder = await mkdtemp(`${tmpdir()}/longtake-sight-`)
  const planner = seeingModel((request, n) =>
    n === 0 ? look(60, 66) : n === 1 ? call('search', { query: 'w' }, `${rowIn(wordsIn(request))}: a door`) : ready,
  )
  await asked({ ...itself, planner: recordCalls(folder, value => value).model(planner) })
  expect(planner.requests.flatMap(imagesIn)).toHaveLength(6)
  expect(await readdir(`${folder}/bytes`)).toHaveLength(3)
})

describe('a helper of a planner that sees', () => {
  const wish = { start: 40, end: 80, question: 'Which password is said for the guided tour?' }
  const isHelper = (words: string) => words.includes('is yours to search')

  test('is shown frames of its span and none outside of it', async () => {
    const planner = seeingModel((request, n) => {
      if (!isHelper(wordsIn(request))) return n === 0 ? call('focus', wish) : ready
      if (request.messages.some(one => one.role === 'assistant')) return ready
      return { calls: [...(look(60, 66).calls ?? []), ...(look(100, 106).calls ?? [])] }
    })
    const { steps } = await asked({ ...itself, planner })
    const shown = planner.requests.filter(request => isHelper(wordsIn(request))).map(timesShown)
    for (const time of shown.flat(2)) expect(time >= 40 && time <= 80).toBe(true)
    expect(steps[0]?.helper?.map(step => [step.outcome, step.pictures?.length ?? 0])).toEqual([
      ['found', 3],
      ['nothing', 0],
    ])
  })

  test('keeps the frames that are set aside for it from the other calls of the round', async () => {
    const planner = seeingModel((request, n) => {
      const closer = { start: 60, end: 61, question: 'Who?', frames: 1 }
      if (isHelper(wordsIn(request)))
        return wordsIn(request).includes('a door') ? ready : call('look', closer, 'a door')
      const frames = { name: 'look', arguments: { start: 0, end: 30, question: 'Who?', frames: 3 } }
      const calls = [
        { id: 'b', ...frames },
        { id: 'a', name: 'focus', arguments: wish },
      ]
      return n === 0 ? { text: '', calls } : ready
    })
    const { steps } = await asked({ ...itself, planner, budget: { frames: 3 } })
    expect(steps[0]).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/3 frames.*2 left/) })
  })
})
