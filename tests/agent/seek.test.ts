import { expect, test } from 'vitest'
import { SightBrief } from '../../src/core/brief.ts'
import type { ChatModel, ChatReply, ChatRequest, ContentPart } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { ask } from './ask.ts'
import { handMadeIndex, itemAt, said } from './hand-made-index.ts'

const index = handMadeIndex({
  duration: 3600,
  rows: [said(600, 604, 'Here is the red boat.'), said(3000, 3004, 'We go home now.')],
})
const question = 'What colour is the boat?'

type Say = (request: ChatRequest, n: number) => Partial<ChatReply>

// A planner that sees, with all that it was shown.
function seeing(say: Say) {
  const requests: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/seeing',
    accepts: new Set(['text', 'image']),
    reply: async request => {
      requests.push(request)
      const usage = { inputTokens: 5, outputTokens: 5 }
      return { text: '', calls: [], stop: 'end', usage, model: 'x', ...say(request, requests.length - 1) }
    },
  }
  return { model, requests }
}

const call = (name: string, args: object) => ({ calls: [{ id: name, name, arguments: args }] })
const partsOf = ({ messages }: ChatRequest): ContentPart[] => messages.flatMap(one => one.content)
const wordsOf = (request: ChatRequest) => partsOf(request).flatMap(part => (part.type === 'text' ? [part.text] : []))
const timesIn = (request: ChatRequest) =>
  partsOf(request).flatMap(part => (part.type === 'image' ? [part.time ?? Number.NaN] : []))
const idAt = (request: ChatRequest, clock: string) =>
  wordsOf(request).flatMap(text => new RegExp(`(p[0-9a-f]{10}) ${clock}`).exec(text)?.[1] ?? [])[0] ?? ''

// Overview, skim, focus, answer.
const course: Say = (request, n) => {
  if (n === 0) return { ...call('skim', { start: 500, end: 820 }), text: 'A harbour from 8:00 on.' }
  if (n === 1) return call('focus', { start: 600, end: 616 })
  const cites = [idAt(request, '10:04')]
  return { text: JSON.stringify({ sentences: [{ text: 'The boat is red.', cites }], confidence: 0.9 }) }
}

test('shows the planner the whole video, then what it asks for, and the answer cites the very frame', async () => {
  const planner = seeing(course)
  const { answer, steps, evidence, spent } = await ask(index, question, {
    ...{ graph: 'seek', planner: planner.model, frames: 100 },
  })
  expect(steps.map(step => step.tool)).toEqual(['overview', 'skim', 'focus'])
  const [first, second, third] = planner.requests.map(timesIn)
  expect(first).toHaveLength(32)
  expect(Math.min(...(first ?? []))).toBeLessThan(120)
  expect(Math.max(...(first ?? []))).toBeGreaterThan(3480)
  expect(second?.slice(32)).toHaveLength(16)
  expect(second?.slice(32).every(time => time >= 500 && time < 820)).toBe(true)
  expect(third?.slice(48)).toHaveLength(16)
  expect(third?.slice(48).every(time => time >= 600 && time < 616)).toBe(true)
  const [cite] = answer.sentences[0]?.cites ?? []
  expect(evidence.find(row => row.id === cite)).toMatchObject({ track: 'picture', frame: 604.5, by: 'decode/frames' })
  expect(answer.text).toBe('The boat is red [10:04-10:05].')
  expect(spent).toMatchObject({ calls: 3, frames: 64 })
})

test('each request says as data which pictures it shows', async () => {
  const planner = seeing(course)
  await ask(index, question, { graph: 'seek', planner: planner.model, frames: 100 })
  for (const request of planner.requests) {
    const brief = SightBrief.parse(request.brief)
    expect(brief.pictures).toEqual(timesIn(request).map(time => [time]))
    expect(brief).toMatchObject({ video: { id: 'hand-made' }, question })
  }
})

test('what the planner notes of its pictures stays in its conversation, beside the words that are said during a look', async () => {
  const planner = seeing(course)
  const { evidence } = await ask(index, question, { graph: 'seek', planner: planner.model, frames: 100 })
  const notes = itemAt(planner.requests, 2).messages.filter(one => one.role === 'assistant')
  expect(JSON.stringify(notes)).toContain('A harbour from 8:00 on.')
  expect(evidence.map(row => row.text)).toContain('Here is the red boat.')
  const result = itemAt(planner.requests, 1).messages.find(one => one.role === 'tool' && one.name === 'skim')
  expect(JSON.stringify(result)).toMatch(/1 row shown above/)
  expect(JSON.stringify(result)).not.toMatch(/We go home/)
})

test('without words nothing that is said is shown', async () => {
  const planner = seeing(course)
  const more = { graph: 'seek', planner: planner.model, frames: 100, seek: { words: 'off' as const } }
  await ask(index, question, more)
  expect(planner.requests.flatMap(wordsOf).join(' ')).not.toMatch(/red boat\./)
})

test('older pictures give way to words when a request holds no more', async () => {
  const planner = seeing((_, n) => (n < 4 ? call('skim', { start: n * 100, end: n * 100 + 90 }) : { text: 'Red.' }))
  const more = { graph: 'seek', planner: planner.model, frames: 100, seek: { shown: 40 } }
  await ask(index, question, more)
  expect(planner.requests.map(request => timesIn(request).length)).toEqual([32, 40, 40, 40, 40])
  expect(timesIn(itemAt(planner.requests, 4)).every(time => time >= 100)).toBe(true)
  expect(wordsOf(itemAt(planner.requests, 4)).join('\n')).toMatch(/No longer shown: p[0-9a-f]{10} 0:56/)
})

test('the budget of frames holds, and then there is one last word without tools', async () => {
  const planner = seeing(({ toolChoice }) =>
    toolChoice === 'none' ? { text: 'The boat is red.' } : call('skim', { start: 0, end: 1000 }),
  )
  const { answer, steps, spent, stop } = await ask(index, question, {
    ...{ graph: 'seek', planner: planner.model, frames: 100, budget: { frames: 40 } },
  })
  expect(spent.frames).toBe(40)
  expect(steps[1]?.text).toMatch(/8 frames left, so 8 pictures are shown and not 16/)
  expect(planner.requests.map(request => request.toolChoice)).toEqual(['auto', 'none'])
  expect(stop).toBe('frames')
  expect(answer.degraded.join(' ')).toMatch(/frame budget/)
})

test('two looks of one round do not take the same frames of the budget', async () => {
  const both = [call('skim', { start: 0, end: 1000 }), call('skim', { start: 900, end: 1800 })]
  const calls = both.flatMap((one, i) => one.calls.map(made => ({ ...made, id: `c${i}` })))
  const planner = seeing((_, n) => (n === 0 ? { calls } : { text: 'Red.' }))
  const budget = { frames: 40 }
  const { spent } = await ask(index, question, { graph: 'seek', planner: planner.model, frames: 100, budget })
  expect(spent.frames).toBe(40)
})

test('a planner that takes no pictures is refused before anything is looked at', async () => {
  const blind = { ...seeing(course).model, accepts: new Set(['text'] as const) }
  const asked = ask(index, question, { graph: 'seek', planner: blind, frames: 100 })
  await expect(asked).rejects.toThrow(UsageError)
  await expect(asked).rejects.toMatchObject({ hint: expect.stringMatching(/models\.planner.*--model/) })
})

test('swapped ends, moments and spans behind the end are mended, and the rounds end', async () => {
  const wishes = [
    { start: 820, end: 500 },
    { start: 700, end: 700 },
    { start: 3590, end: 9000 },
  ]
  const planner = seeing((request, n) =>
    request.toolChoice === 'none' ? { text: 'Red.' } : call('focus', wishes[n % 3] ?? {}),
  )
  const { steps } = await ask(index, question, {
    ...{ graph: 'seek', planner: planner.model, frames: 100, seek: { rounds: 6 }, budget: { frames: 5000 } },
  })
  expect(steps.map(step => step.round)).toEqual([0, 1, 2, 3, 4, 5])
  expect(steps.every(step => step.outcome === 'found' || step.outcome === 'repeated')).toBe(true)
})
