import { expect, test } from 'vitest'
import type { MadeModels } from '../../../eval/recipes/author.ts'
import { type Author, openAuthor } from '../../../eval/recipes/author.ts'
import { describingStages, withDescriptions } from '../../../eval/recipes/describe.ts'
import type { SourceRecord, SourceSegment } from '../../../eval/recipes/item.ts'
import type { Before, MakeStage } from '../../../eval/recipes/recipe.ts'
import { type ChatRequest, contentText } from '../../../src/core/chat.ts'
import type { Span } from '../../../src/core/time.ts'

const lengths = [0.4, 2, 5, 9, 20, 60]
const segments = lengths.map((duration, at): SourceSegment => {
  const start = lengths.slice(0, at).reduce((sum, one) => sum + one, 0)
  return {
    segment_index: at,
    temporal: { start, end: start + duration, duration },
    multimodal_description: `Said: words ${at}`,
    key_events: [],
    modalities: { speech: `words ${at}`, visual: '0 cuts', audio_environment: `sound ${at}` },
    rows: at === 3 ? ['c3'] : [],
  }
})
const record: SourceRecord = {
  ...{ video_id: 'talk', video: 'talk.mp4', segments, meta: { summary: 'As its owner sums it up.' } },
  statistics: { segments: 6, duration: 96.4, fps: 1, frames: 96, rows: 1 },
  rows: [{ id: 'c3', track: 'caption', span: { start: 8, end: 9 }, text: 'A mill' }],
}

// Replies by the name of the form; a second request for stretch 2 never gets a usable one.
function modelOf(requests: ChatRequest[]): Author {
  const replyOf = (request: ChatRequest) => {
    const asked = contentText(request.messages.at(-1)?.content ?? [])
    const about = /<data (?:description|said|labels)>\s*(.*)/.exec(asked)?.[1]
    const { name } = request.schema ?? {}
    if (name === 'seen') return { description: `Seen ${about}` }
    if (name === 'heard') return { description: `Heard ${about}` }
    if (name?.endsWith('aligned')) return { description: `${about} (agrees)` }
    if (name === 'events') return { key_events: [`a wheel turns in ${about}`] }
    if (name === 'summary') return { summary: 'A model sums up.', categories: ['Craft'] }
    if (about === 'words 2') return { nothing: true }
    return { multimodal_description: `Told ${about}` }
  }
  const usage = { inputTokens: 1, outputTokens: 1 }
  const ask = async (request: ChatRequest) => {
    requests.push(request)
    const reply = { text: JSON.stringify(replyOf(request)), calls: [], stop: 'end' as const, usage, model: 'm' }
    return { id: String(requests.length), reply }
  }
  const chat = {
    id: 'm',
    accepts: new Set(['text', 'image', 'audio'] as const),
    reply: async (one: ChatRequest) => (await ask(one)).reply,
  }
  return { by: 'm', model: { id: 'm', chat, identity: 'm', ask }, seed: 1, signal: new AbortController().signal }
}

interface Told {
  author: Author
  deaf?: true // nobody listens
  frames?(times: readonly number[]): Promise<Uint8Array[]>
  sounds?(spans: readonly Span[]): Promise<Uint8Array[]>
}

async function tell({ author, deaf, frames = nothing, sounds = nothing }: Told, of = record) {
  let before: Before = {}
  for (const stage of describingStages as readonly MakeStage<unknown, unknown>[]) {
    const isOff = deaf && [stage.role, stage.over].includes('listen')
    const given = { settings: {}, seed: 1, author: isOff ? ({ by: 'rules' } as const) : author, before }
    const earlier: unknown[] = []
    const units = []
    const work = { ...given, record: of, earlier, prompts: stage.prompts, frames, sounds }
    const asked = stage.units(of, { ...given, before: undefined })
    const all = stage.units(of, given)
    expect(asked.length, `${stage.name}: forecast`).toBeGreaterThanOrEqual(all.length)
    for (const unit of all) {
      const made = await stage.make(unit, work)
      if (!('output' in made)) continue
      earlier.push(made.output)
      units.push({ unit: unit.unit, output: made.output })
    }
    before = { ...before, [stage.name]: units }
  }
  return withDescriptions(of, new Map([['talk', before]]))
}

async function nothing(all: readonly unknown[]) {
  return all.map(() => new Uint8Array([1]))
}

function askedFor(requests: readonly ChatRequest[], name: string): string[] {
  return requests
    .filter(({ schema }) => schema?.name === name)
    .map(one => contentText(one.messages.at(-1)?.content ?? []))
}

test('models tell each stretch from its frames, words and sounds; captions of the index are not made again', async () => {
  const requests: ChatRequest[] = []
  const asked: (readonly number[])[] = []
  const frames = async (times: readonly number[]) => {
    asked.push(times)
    return times.map(() => new Uint8Array([1]))
  }
  const told = await tell({ author: modelOf(requests), frames })
  expect(asked.map(({ length }) => length)).toEqual([1, 4, 8, 24, 32])
  expect(askedFor(requests, 'seen').slice(0, 2)).toEqual([
    expect.stringContaining('the video begins here'),
    expect.stringContaining('Seen words 0'),
  ])
  expect(requests.filter(({ messages }) => messages[0] && !contentText(messages[0].content).includes('data'))).toEqual(
    [],
  )
  const [one, two, three, four] = told.segments
  expect(one).toMatchObject({
    segment_index: 0,
    multimodal_description: 'Told words 0',
    key_events: ['a wheel turns in Told words 0'],
  })
  expect(one?.modalities).toMatchObject({ visual: 'Seen words 0; 0 cuts', audio_environment: 'Heard sound 0; sound 0' })
  expect(two?.modalities).toMatchObject({
    visual: 'Seen words 1 (agrees); 0 cuts',
    audio_environment: 'Heard sound 1 (agrees); sound 1',
  })
  expect(four?.modalities.visual).toBe('0 cuts')
  expect(three).toMatchObject({ multimodal_description: 'Said: words 2', key_events: [] })
  expect(askedFor(requests, 'fused')[1]).toMatch(/Seen words 1 \(agrees\)[\s\S]*Heard sound 1 \(agrees\)/)
  expect(told.meta).toEqual({ summary: 'As its owner sums it up.', categories: ['Craft'] })
})

test('each description is made to agree with the one before it, and what is heard with the three before', async () => {
  const requests: ChatRequest[] = []
  await tell({ author: modelOf(requests) })
  const before = (name: string) =>
    askedFor(requests, name).map(text => [...text.matchAll(/<data before>\s*(.*)/g)].map(([, said]) => said))
  expect(before('seen-aligned')).toEqual([
    ['Seen words 0'],
    ['Seen words 1 (agrees)'],
    ['Seen words 2 (agrees)'],
    ['Seen words 4 (agrees)'], // stretch 3 has a caption of its own
  ])
  expect(before('heard-aligned')).toHaveLength(5)
  expect(before('heard-aligned').at(-1)).toEqual([2, 3, 4].map(at => `Heard sound ${at} (agrees)`))
  const [aligning] = requests.filter(({ schema }) => schema?.name === 'heard-aligned')
  expect(aligning?.messages.at(-1)?.content.map(({ type }) => type)).toEqual(['text'])
})

test('of a stretch all sound is heard, of a long one ten pieces, and nothing of a video without any', async () => {
  const long = { start: 96.4, end: 1296.4, duration: 1200 }
  const stretch = { ...(segments[5] as SourceSegment), segment_index: 6, temporal: long }
  const requests: ChatRequest[] = []
  const heard: (readonly Span[])[] = []
  const sounds = async (spans: readonly Span[]) => {
    heard.push(spans)
    return spans.map(() => new Uint8Array([1]))
  }
  await tell({ author: modelOf(requests), sounds }, { ...record, segments: [...segments, stretch] })
  expect(heard).toHaveLength(7)
  expect(heard[5]).toEqual([{ start: expect.closeTo(36.4), end: expect.closeTo(96.4) }])
  expect(heard[6]).toHaveLength(10)
  expect(heard[6]?.[0]).toEqual({ start: expect.closeTo(141.4), end: expect.closeTo(171.4) })
  expect(heard[6]?.at(-1)).toEqual({ start: expect.closeTo(1221.4), end: expect.closeTo(1251.4) })
  const last = requests.filter(({ schema }) => schema?.name === 'heard').at(-1)
  expect(last?.messages.at(-1)?.content.map(({ type }) => type)).toEqual([...Array(10).fill('audio'), 'text'])
  requests.length = 0
  await tell({ author: modelOf(requests) }, { ...record, mute: true })
  expect(requests.filter(({ schema }) => schema?.name.startsWith('heard'))).toEqual([])
})

test('where nobody sees or listens, the rest is told all the same', async () => {
  const requests: ChatRequest[] = []
  const told = await tell({ author: modelOf(requests), deaf: true })
  expect(askedFor(requests, 'fused')[0]).toMatch(/<data heard>\s*sound 0\s*</)
  expect(told.segments[0]?.modalities.audio_environment).toBe('sound 0')
  const models = { author: [{}], look: [], listen: [] } as unknown as MadeModels
  const by = describingStages.map(stage => [
    stage.name,
    'model' in openAuthor(stage, models, 1, new AbortController().signal),
  ])
  expect(Object.fromEntries(by)).toEqual({
    ...{ seen: false, heard: false, 'seen-aligned': false, 'heard-aligned': false },
    ...{ fused: true, events: true, summary: true },
  })
})
