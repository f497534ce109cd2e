import { describe, expect, test } from 'vitest'
import { graphNames, openGraph } from '../../graphs/index.ts'
import { chatModels } from '../../models/chat/index.ts'
import { graphChoices } from '../../src/cli/options.ts'
import type { ChatModel, ChatRequest } from '../../src/core/chat.ts'
import { ask, host } from './ask.ts'
import { handMadeIndex, itemAt, said } from './hand-made-index.ts'
import { museum } from './museum.ts'

const index = handMadeIndex(museum)
const question = 'What is the password?'

function listening(replies: (request: ChatRequest, n: number) => Partial<Awaited<ReturnType<ChatModel['reply']>>>) {
  const requests: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/listening',
    accepts: new Set(['text', 'image']),
    reply: async request => {
      requests.push(request)
      const reply = replies(request, requests.length - 1)
      return { text: '', calls: [], stop: 'end', usage: { inputTokens: 5, outputTokens: 5 }, model: 'x', ...reply }
    },
  }
  return { model, requests }
}

test('the command line offers the graphs that there are', () => {
  expect([...graphChoices]).toEqual(graphNames)
})

test('a graph that does not exist is named with those that do', async () => {
  await expect(openGraph('investigat')).rejects.toMatchObject({
    hint: expect.stringMatching(/investigate.*single-pass/),
  })
})

const published = ['longshot-v2', 'dvd', 'windows', 'task-graph', 'vgent', 'video-rag', 'videomind', 'video-explorer']

describe.each(['single-pass', 'search-then-answer', ...published])('%s', graph => {
  test('answers with times of its ledger alone, without any model', async () => {
    const state = await ask(index, question, { graph })
    const ledger = new Set(state.evidence.map(row => row.id))
    expect(state.answer.text).toMatch(/blue falcon.*\[0:52-0:57\]/)
    for (const one of state.answer.sentences) for (const id of one.cites) expect(ledger.has(id)).toBe(true)
  })

  test('chooses an option', async () => {
    const state = await ask(index, question, { graph, options: ['red hawk', 'blue falcon'] })
    expect(state.answer.choice).toBe(1)
  })

  test('ends with what there is when its model fails', async () => {
    const broken = await chatModels.open('scripted', { replies: [{ error: 'gone' }], atEnd: 'repeat-last' }, host)
    const { answer, stop } = await ask(index, question, { graph, planner: broken, writer: broken })
    expect(stop).toBe('failed')
    expect(answer.text).not.toBe('')
    expect(answer.degraded.join(' ')).toMatch(/gone/)
  })

  test('checks nothing: what its model claims stands, but for the times that no row gives', async () => {
    const { model } = listening(() => ({ text: 'The password is green elephant, said at 3:33.' }))
    const { answer } = await ask(index, question, { graph, planner: model, writer: model })
    expect(answer.text).toMatch(/green elephant/)
    expect(answer.text).not.toMatch(/3:33/)
  })
})

test('search-then-answer makes one call of a model, whatever the planner would do', async () => {
  const planner = listening(() => ({ calls: [{ id: '1', name: 'search', arguments: { query: 'x' } }] }))
  const writer = listening(() => ({ text: 'blue falcon' }))
  const { steps, spent } = await ask(index, question, {
    graph: 'search-then-answer',
    planner: planner.model,
    writer: writer.model,
  })
  expect(steps.map(step => step.tool)).toEqual(['search'])
  expect(planner.requests).toHaveLength(0)
  expect(writer.requests).toHaveLength(1)
  expect(spent.calls).toBe(1)
})

describe('single-pass', () => {
  const stills = Array.from({ length: Math.floor(museum.duration) }, (_, i) => ({
    time: i,
    shot: 0,
    reason: 'interval' as const,
    width: 1,
    height: 1,
    offset: 0,
    length: 1,
  }))
  const seen = { ...index, stills, still: async () => new Uint8Array([1]) }

  test('shows the vision model even frames and the transcript in one call, and every frame can be cited', async () => {
    const vision = listening(request => {
      const frames = request.messages
        .flatMap(one => one.content)
        .filter(part => part.type === 'text')
        .map(part => part.text)
      const id = /^(p[0-9a-f]{10}) /.exec(frames.find(text => /^p[0-9a-f]{10} /.test(text)) ?? '')?.[1]
      return { text: `The room is blue [${id}].` }
    })
    const { answer, spent } = await ask(seen, 'What colour is the room?', {
      graph: 'single-pass',
      services: { vision: async () => ({ by: 'chat/listening', service: vision.model }) },
    })
    const content = itemAt(vision.requests, 0).messages.flatMap(one => one.content)
    const times = content.flatMap(part => (part.type === 'image' ? [part.time ?? 0] : []))
    const gaps = times.slice(1).map((time, i) => time - itemAt(times, i))
    expect(vision.requests).toHaveLength(1)
    expect(times).toHaveLength(64)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(5)
    expect(content.map(part => (part.type === 'text' ? part.text : '')).join(' ')).toMatch(/blue falcon/)
    expect(spent.frames).toBe(64)
    expect(answer.sentences[0]?.cites).toHaveLength(1)
  })

  test('gets what is written and heard beside what is said, and as many frames as the setting and the budget allow', async () => {
    const vision = listening(() => ({ text: 'Blue.' }))
    const services = { vision: async () => ({ by: 'chat/listening', service: vision.model }) }
    const more = { graph: 'single-pass', services, frames: 999, policy: { singlePassFrames: 300 } }
    const { spent } = await ask({ ...seen, video: withPicture(seen.video) }, question, more)
    expect(spent.frames).toBe(256)
    const words = itemAt(vision.requests, 0).messages.flatMap(one => one.content)
    const said = words.map(part => (part.type === 'text' ? part.text : '')).join(' ')
    const telling = museum.rows.filter(row => ['speech', 'text', 'sound'].includes(row.track) && row.text !== 'silence')
    for (const row of telling) expect(said).toContain(row.text.split('\n')[0]?.replace(/\s+/g, ' '))
  })

  test('says so when it could show no frames', async () => {
    const { answer } = await ask(seen, question, { graph: 'single-pass' })
    expect(answer.degraded.join(' ')).toMatch(/No frames were shown/)
  })
})

function withPicture<Video extends object>(video: Video) {
  return { ...video, picture: { index: 0, codec: 'h264', width: 2, height: 2, start: 0, rotation: 0, hdr: false } }
}

describe('longshot-v2', () => {
  test('offers the three tools of the released agent, ten rounds at most, then no tools and a last word', async () => {
    const planner = listening((request, n) =>
      request.toolChoice === 'none'
        ? { text: 'The password is blue falcon.' }
        : { calls: [{ id: `c${n}`, name: 'search_video', arguments: { query: `password ${n}` } }], stop: 'calls' },
    )
    const { steps, answer } = await ask(index, question, { graph: 'longshot-v2', planner: planner.model })
    expect(planner.requests[0]?.tools?.map(tool => tool.name)).toEqual(['search_video', 'refine_video', 'verify_claim'])
    expect(planner.requests).toHaveLength(11)
    expect(steps).toHaveLength(10)
    expect(answer.text).toMatch(/blue falcon/)
  })

  test('does not count rounds in which every call failed, as released, but ends all the same', async () => {
    const planner = listening(request =>
      request.toolChoice === 'none' ? { text: 'unknown' } : { calls: [{ id: 'c', name: 'nothing', arguments: {} }] },
    )
    const { steps } = await ask(index, question, { graph: 'longshot-v2', planner: planner.model })
    expect(steps).toHaveLength(20)
  })

  test('refines 60 seconds of picture and 300 of sound at most, and the whole of a short video', async () => {
    const spans: unknown[] = []
    const tool = (name: string) => ({
      name,
      description: '',
      input: undefined as never,
      run: async (input: unknown) => {
        spans.push([name, input])
        return { evidence: [] }
      },
    })
    const { longshotTools } = await import('../../graphs/baselines/longshot-v2/tools.ts')
    const refine = itemAt(longshotTools({ tools: ['look', 'transcribe', 'listen'].map(tool) } as never), 1)
    const context = (duration: number) => ({ index: { coverage: { duration } } }) as never
    await refine.run({ start_time: 500, end_time: 100, modality: 'visual', query: 'q' }, context(1000))
    await refine.run({ start_time: 100, end_time: 900, modality: 'audio', query: 'q' }, context(1000))
    await refine.run({ start_time: 10, end_time: 12, modality: 'visual', query: 'q' }, context(50))
    expect(spans).toEqual([
      ['look', { start: 100, end: 160, question: 'q', frames: 32 }],
      ['transcribe', { start: 100, end: 400 }],
      ['listen', { start: 100, end: 400, question: 'q' }],
      ['look', { start: 0, end: 50, question: 'q', frames: 32 }],
    ])
  })
})

describe('windows', () => {
  const rows = [
    { at: 100, text: 'The ferry leaves at noon.' },
    { at: 500, text: 'A ferry is painted in the yard.' },
    { at: 905, text: 'Lunch is served.' },
  ].map(({ at, text }) => said(at, at + 4, text))
  const long = handMadeIndex({ duration: 1000, rows })

  test('looks at the windows whose words fit the question, one by one, and writes from what came of them', async () => {
    const vision = listening((_, n) => ({ text: `Window ${n}: the ferry is white.` }))
    const writer = listening(() => ({ text: 'The ferry is white.' }))
    const services = { vision: async () => ({ by: 'chat/listening', service: vision.model }) }
    const { steps, spent, answer, evidence } = await ask(long, 'What colour is the ferry?', {
      ...{ graph: 'windows', services, writer: writer.model, frames: 999, windows: { k: 2, frames: 40 } },
    })
    const briefs = vision.requests.map(({ brief }) => brief as { span: object; pictures: number[][] })
    expect(briefs.map(({ span, pictures }) => [span, pictures.length])).toEqual(
      expect.arrayContaining([
        [{ start: 80, end: 160 }, 40],
        [{ start: 480, end: 560 }, 40],
      ]),
    )
    expect(briefs).toHaveLength(2)
    expect(steps.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['window_search', 'found'],
      ['window_inspect', 'found'],
      ['window_inspect', 'found'],
    ])
    const shown = vision.requests.map(({ messages }) => JSON.stringify(messages)).join('\n')
    expect(shown).toContain('The ferry leaves at noon.')
    expect(shown).not.toContain('Lunch')
    expect(evidence.map(({ text }) => text)).toContain('Window 0: the ferry is white.')
    expect(JSON.stringify(writer.requests[0]?.messages)).toContain('Window 1: the ferry is white.')
    expect(spent).toMatchObject({ frames: 80, calls: 3 })
    expect(answer.text).toBe('The ferry is white.')
  })

  test('keeps to the budget of frames, fills up with even windows, and says so', async () => {
    const vision = listening(() => ({ text: 'Nothing of it.' }))
    const services = { vision: async () => ({ by: 'chat/listening', service: vision.model }) }
    const { answer, spent } = await ask(long, 'Is there a zeppelin?', {
      ...{ graph: 'windows', services, frames: 999, budget: { frames: 30 } },
    })
    expect(spent.frames).toBe(30)
    expect(answer.degraded.join(' ')).toMatch(/0 of the 3 windows .* lie evenly/)
  })
})
