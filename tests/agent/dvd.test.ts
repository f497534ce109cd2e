import { expect, test } from 'vitest'
import { SightBrief } from '../../src/core/brief.ts'
import type { ChatModel, ChatReply, ChatRequest } from '../../src/core/chat.ts'
import { stamp } from '../../src/core/evidence.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { ask } from './ask.ts'
import { handMadeIndex, itemAt, said } from './hand-made-index.ts'

const bare = handMadeIndex({
  duration: 600,
  rows: [said(100, 104, 'The boat is here.'), said(500, 504, 'We go home now.')],
  chapters: [{ start: 0, end: 600, title: 'The harbour', summary: 'A day at the harbour.' }],
})
const captioned = withRows(bare, [
  { start: 90, end: 120, track: 'caption', text: 'A man in a blue coat paints a red boat.' },
  { start: 480, end: 510, track: 'caption', text: 'Two people walk home.' },
  { start: 90, end: 510, track: 'person', text: 'person 1: a man in a blue coat' },
])
const question = 'What colour is the boat?'

function withRows(
  index: VideoIndex,
  more: { start: number; end: number; track: 'caption' | 'person'; text: string }[],
): VideoIndex {
  const stamped = more.map(({ start, end, track, text }) =>
    stamp({ span: { start, end }, track, text }, index.video.id, `${track}/hand`),
  )
  const evidence: VideoIndex['evidence'] = filter =>
    [...index.evidence(), ...stamped].filter(row => !filter?.tracks || filter.tracks.includes(row.track))
  return {
    ...index,
    evidence,
    byId: id => evidence().find(row => row.id === id),
    search: async ({ query, tracks, k = 8 }) =>
      evidence({ tracks })
        .filter(row => query.split(/\W+/).some(word => word.length > 3 && row.text.includes(word)))
        .slice(0, k)
        .map(evidence => ({ evidence, score: 1, lists: ['words'], terms: [] })),
  }
}

type Say = (request: ChatRequest, n: number) => Partial<ChatReply>

function listening(say: Say, accepts: ('text' | 'image')[] = ['text']) {
  const requests: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/listening',
    accepts: new Set(accepts),
    reply: async request => {
      requests.push(request)
      const usage = { inputTokens: 5, outputTokens: 5 }
      return { text: '', calls: [], stop: 'end', usage, model: 'x', ...say(request, requests.length - 1) }
    },
  }
  return { model, requests }
}

const call = (name: string, args: object) => ({ calls: [{ id: name, name, arguments: args }] })
const sent = (request: ChatRequest) =>
  request.messages.flatMap(one => one.content).flatMap(part => (part.type === 'text' ? [part.text] : []))

const course: Say = (request, n) => {
  if (n === 0) return call('global_browse', { query: 'the boat' })
  if (n === 1) return call('clip_search', { event_description: 'paints a boat' })
  const time_ranges = [
    { start: 95, end: 105 },
    { start: 490, end: 495 },
  ]
  if (n === 2) return call('frame_inspect', { question: 'Which colour has the boat?', time_ranges })
  const row = /(p[0-9a-f]{10}) 1:35.0-1:45.0/.exec(sent(request).join('\n'))?.[1]
  return { text: `The boat is red [${row}].` }
}

test('browses the whole, searches captions, inspects frames, and answers from what they showed', async () => {
  const planner = listening(course)
  const writer = listening(() => ({ text: 'A red boat is painted at 1:30.' }))
  const vision = listening(() => ({ text: 'It is red.' }), ['text', 'image'])
  const services = {
    writer: async () => ({ by: 'chat/writer', service: writer.model }),
    vision: async () => ({ by: 'chat/vision', service: vision.model }),
  }
  const { answer, steps, evidence, spent } = await ask(captioned, question, {
    ...{ graph: 'dvd', planner: planner.model, services, frames: 50 },
  })
  expect(steps.map(step => [step.tool, step.outcome])).toEqual([
    ['global_browse', 'found'],
    ['clip_search', 'found'],
    ['frame_inspect', 'found'],
  ])
  expect(planner.requests[0]?.tools?.map(tool => tool.name)).toEqual(['global_browse', 'clip_search', 'frame_inspect'])
  const browsed = sent(itemAt(writer.requests, 0)).join('\n')
  expect(browsed).toMatch(
    /<data overview.*A day at the harbour.*<data people.*blue coat.*<data clips.*paints a red boat/s,
  )
  expect(sent(itemAt(planner.requests, 1)).join('\n')).toMatch(/A red boat is painted at 1:30/)
  const tracks = steps[1]?.evidence.map(id => evidence.find(row => row.id === id)?.track)
  expect(new Set(tracks)).toEqual(new Set(['speech', 'caption']))
  const brief = SightBrief.parse(vision.requests[0]?.brief)
  expect(brief).toMatchObject({ task: 'look', question: 'Which colour has the boat?', span: { start: 95, end: 495 } })
  expect(brief.pictures).toHaveLength(30)
  expect(brief.pictures.flat().every(time => (time >= 95 && time < 105) || (time >= 490 && time < 495))).toBe(true)
  expect(spent).toMatchObject({ frames: 30, calls: 6 })
  expect(answer.text).toBe('The boat is red [1:35-1:45].')
  expect(answer.degraded.join(' ')).not.toMatch(/captions/)
})

test('without captions it searches the other rows, and the answer says so', async () => {
  const planner = listening((_, n) =>
    n === 0 ? call('clip_search', { event_description: 'boat' }) : { text: 'Unknown.' },
  )
  const { answer, steps, evidence } = await ask(bare, question, { graph: 'dvd', planner: planner.model })
  expect(steps[0]?.evidence.map(id => evidence.find(row => row.id === id)?.text)).toEqual(['The boat is here.'])
  expect(answer.degraded.join(' ')).toMatch(/no captions of clips/)
})

test('fifteen rounds, then one last word without tools', async () => {
  const planner = listening(({ toolChoice }, n) =>
    toolChoice === 'none' ? { text: 'Red.' } : call('clip_search', { event_description: `boat ${n}` }),
  )
  const { steps } = await ask(bare, question, { graph: 'dvd', planner: planner.model, budget: { steps: 40 } })
  expect(steps).toHaveLength(15)
  expect(planner.requests.at(-1)?.toolChoice).toBe('none')
})

test('never shows the vision model more than fifty frames at once', async () => {
  const planner = listening((_, n) =>
    n === 0 ? call('frame_inspect', { question: 'What?', time_ranges: [{ start: 0, end: 600 }] }) : { text: 'Red.' },
  )
  const vision = listening(() => ({ text: 'A boat.' }), ['text', 'image'])
  const services = { vision: async () => ({ by: 'chat/vision', service: vision.model }) }
  await ask(bare, question, { graph: 'dvd', planner: planner.model, services, frames: 999 })
  expect(SightBrief.parse(vision.requests[0]?.brief).pictures).toHaveLength(50)
})
