import { expect, test } from 'vitest'
import { SightBrief } from '../../src/core/brief.ts'
import { type ChatModel, type ChatReply, type ChatRequest, contentText } from '../../src/core/chat.ts'
import { type AskMore, ask } from './ask.ts'
import { handMadeIndex, itemAt, said, shown } from './hand-made-index.ts'

// The published agents that plan in steps, with scripted models: which requests they make, and what the replies lead to.

const film = handMadeIndex({
  duration: 1600,
  rows: [
    said(100, 104, 'The boat is in the harbor.'),
    said(705, 709, 'Now we paint the boat.'),
    said(1500, 1504, 'The boat sails away.'),
    shown(700, 790, 'Harbor paint shop'),
    shown(31, 31.5, 'Harbor map'),
  ],
})
const question = 'What colour is the boat painted?'
const withPicture = {
  ...film,
  video: {
    ...film.video,
    picture: { index: 0, codec: 'h264', width: 2, height: 2, start: 0, rotation: 0, hdr: false },
  },
}

type Say = (request: ChatRequest, n: number) => string | Partial<ChatReply>

function scripted(say: Say, accepts: ('text' | 'image')[] = ['text']) {
  const requests: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/scripted',
    accepts: new Set(accepts),
    reply: async request => {
      requests.push(request)
      const said = say(request, requests.length - 1)
      const reply = typeof said === 'string' ? { text: said } : said
      return { text: '', calls: [], stop: 'end', usage: { inputTokens: 5, outputTokens: 5 }, model: 'x', ...reply }
    },
  }
  return { model, requests }
}

const words = ({ messages }: ChatRequest) => messages.map(one => contentText(one.content)).join('\n')
const times = ({ brief }: ChatRequest) => SightBrief.parse(brief).pictures.flat()

async function asked(graph: string, planner: Say, vision: Say, more: AskMore = {}) {
  const eyes = scripted(vision, ['text', 'image'])
  const thinker = scripted(planner)
  const services = { vision: async () => ({ by: 'chat/eyes', service: eyes.model }), ...more.services }
  const state = await ask(withPicture, question, {
    ...{ graph, planner: thinker.model, frames: 999, budget: { frames: 2000, steps: 30 }, ...more },
    services,
  })
  return { ...state, planned: thinker.requests, looked: eyes.requests }
}

// What the last request showed first, cited.
const answerOf = (request: ChatRequest) => `The boat is red [${/(p[0-9a-f]{10}) /.exec(words(request))?.[1]}].`

test('video-rag asks what text is needed, retrieves what fits, and shows it with 32 frames in one call', async () => {
  const request = '{"speech": "we paint the boat", "things": ["harbor", "boat"]}'
  const { answer, steps, planned, looked, spent } = await asked('video-rag', () => request, answerOf)
  expect(planned).toHaveLength(1)
  expect(steps.map(({ tool, input }) => [tool, input])).toEqual([
    ['retrieve_speech', { queries: [question, 'we paint the boat'] }],
    ['retrieve_text', { queries: [question, 'harbor', 'boat'] }],
  ])
  expect(looked.map(times)).toHaveLength(1)
  expect(times(itemAt(looked, 0))).toHaveLength(32)
  const told = words(itemAt(looked, 0))
  expect(told).toMatch(/Now we paint the boat/)
  expect(told).toMatch(/Harbor paint shop/)
  expect(told).not.toMatch(/Harbor map/) // on none of the 32 frames
  expect(answer.text).toMatch(/^The boat is red/)
  expect(answer.degraded).toEqual([])
  expect(spent).toMatchObject({ calls: 2, frames: 32 })
})

test('vgent keeps the clips in which sub-questions hold, and answers from their frames', async () => {
  const plans: Say = ({ schema }) =>
    schema?.name === 'keywords'
      ? '{"keywords": ["boat", "paint"], "multiple": true, "kind": "other"}'
      : schema?.name === 'questions'
        ? '{"questions": ["Does the clip show a boat?", "Does the clip show paint?"]}'
        : '{"summary": "A boat is painted, then sails."}'
  const vision: Say = request =>
    /sub-questions|Answer each question/.test(words(request))
      ? times(request).every(time => time >= 704 && time <= 768)
        ? '{"answers": ["yes", "yes"]}'
        : times(request).every(time => time >= 1472)
          ? '```json\n{"answers": [true, false]}\n```'
          : '{"answers": ["no", "no"]}'
      : answerOf(request)
  const { answer, steps, planned, looked } = await asked('vgent', plans, vision)
  expect(planned.map(({ schema }) => schema?.name)).toEqual(['keywords', 'questions', 'summary'])
  expect(steps.map(step => step.tool)).toEqual([
    'retrieve_clips',
    'check_clip',
    'check_clip',
    'check_clip',
    'check_clip',
  ])
  expect(
    steps[0]?.text
      ?.split(' ')
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual([1, 10, 11, 23])
  expect(looked.slice(0, 4).map(request => times(request).length)).toEqual([8, 8, 8, 8])
  const shownTimes = times(itemAt(looked, 4))
  expect(shownTimes).toHaveLength(128) // one a second of 704-768 and 1472-1536, and of nothing else
  const isKept = (time: number) => (time >= 704 && time < 768) || (time >= 1472 && time < 1536)
  expect(shownTimes.every(isKept)).toBe(true)
  expect(words(itemAt(planned, 2))).toMatch(
    /\[11:44-12:48\]:\nDoes the clip show a boat\? yes\nDoes the clip show paint\? yes/,
  )
  expect(words(itemAt(looked, 4))).toMatch(/A boat is painted, then sails/)
  expect(answer.text).toMatch(/^The boat is red/)
})

test('vgent shows a video of fewer clips than it retrieves evenly, as published', async () => {
  const half = { ...withPicture, coverage: { ...film.coverage, duration: 700 } }
  const eyes = scripted(answerOf, ['text', 'image'])
  const services = { vision: async () => ({ by: 'chat/eyes', service: eyes.model }) }
  const { steps } = await ask(half, question, { graph: 'vgent', services, frames: 999, budget: { frames: 2000 } })
  expect(steps).toEqual([])
  expect(eyes.requests.map(request => times(request).length)).toEqual([256])
})

test('videomind plans, grounds, verifies each moment wider than it is, and answers from the best', async () => {
  const vision: Say = request => {
    const told = words(request)
    if (/moment of the video must be found/.test(told)) return '{"ground": true, "query": "the boat is painted"}'
    if (/moments that a query describes/.test(told))
      return '{"moments": [{"start": "1:40", "end": "1:50", "confidence": 0.9}, {"start": 700, "end": 740, "confidence": 0.4}]}'
    if (/candidate/.test(told)) return `{"yes": ${/\[11:40-12:20\]/.test(told) ? 0.8 : 0.2}}`
    return answerOf(request)
  }
  const { answer, steps, looked, spent } = await asked('videomind', () => '', vision)
  expect(steps.map(step => step.tool)).toEqual(['planner', 'grounder', 'verifier', 'verifier'])
  expect(words(itemAt(looked, 1))).toMatch(/Query: the boat is painted/)
  expect(looked.map(request => times(request).length)).toEqual([100, 150, 41, 64, 32])
  expect(steps[3]?.input).toMatchObject({ start: 680, end: 760 })
  const seen = times(itemAt(looked, 4))
  expect([Math.min(...seen), Math.max(...seen)]).toEqual([700, expect.closeTo(740, 0)])
  expect(spent.frames).toBe(387)
  expect(answer.text).toMatch(/^The boat is red/)
})

test('videomind goes on with windows where the grounder finds nothing, and says what the budget took', async () => {
  const vision: Say = request => (/best first|must be found/.test(words(request)) ? 'I cannot tell.' : '{"yes": 0.5}')
  const { steps, answer, spent } = await asked('videomind', () => '', vision, { budget: { frames: 300 } })
  expect(steps.map(step => step.tool)).toEqual(['planner', 'grounder', ...Array(5).fill('verifier')])
  expect(answer.degraded.join(' ')).toMatch(/up to 602 frames .* budget\.frames is 300/)
  expect(spent.frames).toBeLessThanOrEqual(300)
})

test('videomind answers from the whole video where the budget of tokens ends its search, and says which limit it was', async () => {
  const short = { budget: { frames: 2000, tokens: 12 } }
  const { steps, stop, answer, looked } = await asked('videomind', () => '', answerOf, short)
  expect(steps.map(step => step.tool)).toEqual(['planner'])
  expect(stop).toBe('tokens')
  expect(times(itemAt(looked, 1))).toHaveLength(32)
  expect(answer.text).toMatch(/^The boat is red/)
})

test('video-explorer sends a grounder that retrieves, watches and names segments, then a reader', async () => {
  const call = (name: string, args: object): Partial<ChatReply> => ({ calls: [{ id: name, name, arguments: args }] })
  const planner: Say = (request, n) => {
    if (n === 0) return call('temporal_grounding', { need: `${question} Find the painting of the boat.` })
    if (n === 1) return call('video_reader', { start: 705, end: 725, question: 'Which colour is the boat painted?' })
    return `The boat is red [${[...words(request).matchAll(/(p[0-9a-f]{10}) /g)].at(-1)?.[1]}].`
  }
  const writer = scripted((_, n) =>
    n === 0
      ? '{"scenes": ["painting of a boat"], "speech": ["paint the boat"], "check": "Is a boat painted?"}'
      : '{"segments": [{"start": "11:40", "end": "11:50", "description": "a boat is painted"}]}',
  )
  const { steps, planned, looked, answer } = await asked('video-explorer', planner, () => 'A red boat.', {
    services: { writer: async () => ({ by: 'chat/writer', service: writer.model }) },
  })
  expect(planned[0]?.tools?.map(tool => tool.name)).toEqual([
    ...['temporal_grounding', 'video_reader', 'video_browser', 'subtitle_extractor'],
  ])
  expect(words(itemAt(planned, 0))).toMatch(/20 rounds are left/)
  expect(steps.map(step => [step.tool, step.outcome])).toEqual([
    ['temporal_grounding', 'found'],
    ['video_reader', 'found'],
  ])
  expect(steps[0]?.text).toMatch(/1 clips .* watched. Segments that fit: \[11:40-11:50\] a boat is painted/)
  expect(times(itemAt(looked, 0)).every(time => time >= 700 && time <= 710)).toBe(true)
  expect(words(itemAt(writer.requests, 1))).toMatch(/Now we paint the boat.*A red boat/s)
  expect(times(itemAt(looked, 1))).toHaveLength(32)
  expect(answer.text).toMatch(/^The boat is red \[11:45-12:05\]/)
})

test('video-explorer makes twenty rounds, then answers without a call', async () => {
  const planner: Say = ({ toolChoice }, n) =>
    toolChoice === 'none'
      ? 'Red.'
      : { calls: [{ id: 'c', name: 'subtitle_extractor', arguments: { start: n, end: 700 } }] }
  const { steps, planned } = await asked('video-explorer', planner, () => '')
  expect(steps).toHaveLength(20)
  expect(planned).toHaveLength(21)
})

test('task-graph runs tasks in the order of their edges, and the writer gets the rows weighed by what came back', async () => {
  const tasks = [
    { id: 't 1', module: 'search', query: 'paint the boat', after: [], weight: 0.9 },
    { id: 't2', module: 'sight', query: 'Which colour is the boat painted?', after: ['t 1'], weight: 1 },
    { id: 't3', module: 'search', query: 'sails away', after: [], weight: 0.1 },
  ]
  const writer = scripted(answerOf)
  const { steps, answer } = await asked(
    'task-graph',
    () => JSON.stringify({ tasks }),
    () => 'The boat is painted red.',
    {
      writer: writer.model,
    },
  )
  expect(steps.map(step => [step.round, step.tool])).toEqual([
    [0, 'search'],
    [0, 'search'],
    [1, 'look'],
    [1, 'look'],
  ])
  expect(steps[2]?.input).toMatchObject({ start: 697, end: 717, question: 'Which colour is the boat painted?' })
  const told = words(itemAt(writer.requests, 0))
  const weights = [...told.matchAll(/^(0\.\d\d) (search|sight) "([^"]+)"/gm)].map(([, weight, , query]) => [
    query,
    Number(weight),
  ])
  expect(weights.map(([query]) => query)).toEqual([tasks[1]?.query, tasks[0]?.query, tasks[2]?.query])
  expect(weights.reduce((sum, [, weight]) => sum + Number(weight), 0)).toBeCloseTo(1, 1)
  expect(answer.text).toMatch(/^The boat is red/)
})

test('task-graph runs tasks that wait for each other or for nothing, and a reply that is no graph leaves the question as the one search', async () => {
  const circle = [
    { id: 'a', module: 'speech', query: 'boat', after: ['b'] },
    { id: 'b', module: 'search', query: 'boat', after: ['a', 'nowhere'] },
  ]
  const run = await asked(
    'task-graph',
    () => JSON.stringify({ tasks: circle }),
    () => 'A boat.',
  )
  expect(run.steps.map(step => step.tool).sort()).toEqual(['search', 'transcribe', 'transcribe'])
  const unread = await asked(
    'task-graph',
    () => 'First I would search.',
    () => 'A boat.',
  )
  expect(unread.steps[0]).toMatchObject({ tool: 'search', input: { query: question } })
  expect(unread.answer.degraded.join(' ')).toMatch(/step "tasks" could not be read/)
})
