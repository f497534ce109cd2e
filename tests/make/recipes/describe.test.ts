import { expect, test } from 'vitest'
import type { SourceRecord, SourceSegment } from '../../../eval/make/item.ts'
import type { Author } from '../../../eval/make/machine/author.ts'
import type { Before, MakeStage } from '../../../eval/make/recipe.ts'
import { described, describingStages } from '../../../eval/make/source/describe.ts'
import { type ChatRequest, textOf } from '../../../src/core/chat.ts'

const lengths = [0.4, 2, 5, 9, 20, 60]
const segments = lengths.map((duration, at): SourceSegment => {
  const start = lengths.slice(0, at).reduce((sum, one) => sum + one, 0)
  return {
    segment_index: at,
    temporal: { start, end: start + duration, duration },
    multimodal_description: `Said: words ${at}`,
    key_events: [],
    modalities: { speech: `words ${at}`, visual: '0 cuts', audio_environment: '' },
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
    const asked = textOf(request.messages.at(-1)?.content ?? [])
    if (request.schema?.name === 'seen') return { description: `Seen ${/words \d/.exec(asked)?.[0]}` }
    if (request.schema?.name === 'summary') return { summary: 'A model sums up.', categories: ['Craft'] }
    if (asked.includes('words 2')) return { nothing: true }
    return { multimodal_description: `Told ${/words \d/.exec(asked)?.[0]}`, key_events: ['a wheel turns round'] }
  }
  const usage = { inputTokens: 1, outputTokens: 1 }
  const ask = async (request: ChatRequest) => {
    requests.push(request)
    const reply = { text: JSON.stringify(replyOf(request)), calls: [], stop: 'end' as const, usage, model: 'm' }
    return { id: String(requests.length), reply }
  }
  const chat = {
    id: 'm',
    accepts: new Set(['text', 'image'] as const),
    reply: async (one: ChatRequest) => (await ask(one)).reply,
  }
  return { by: 'm', model: { id: 'm', chat, identity: 'm', ask }, seed: 1, signal: new AbortController().signal }
}

async function tell(author: Author, frames: (times: readonly number[]) => Promise<Uint8Array[]>) {
  let before: Before = {}
  for (const stage of describingStages as readonly MakeStage<unknown, unknown>[]) {
    const given = { settings: {}, seed: 1, author, before }
    const earlier: unknown[] = []
    const units = []
    for (const unit of stage.units(record, given)) {
      const made = await stage.make(unit, { ...given, record, earlier, prompts: stage.prompts, frames })
      if (!('output' in made)) continue
      earlier.push(made.output)
      units.push({ unit: unit.unit, output: made.output })
    }
    before = { ...before, [stage.name]: units }
  }
  return described(record, new Map([['talk', before]]))
}

test('models tell each stretch from its frames, words and sounds; captions of the index are not made again', async () => {
  const requests: ChatRequest[] = []
  const asked: (readonly number[])[] = []
  const told = await tell(modelOf(requests), async times => {
    asked.push(times)
    return times.map(() => new Uint8Array([1]))
  })
  expect(asked.map(({ length }) => length)).toEqual([1, 4, 8, 24, 32])
  const [first, second] = requests
    .filter(({ schema }) => schema?.name === 'seen')
    .map(one => textOf(one.messages.at(-1)?.content ?? []))
  expect([first, second]).toEqual([
    expect.stringContaining('the video begins here'),
    expect.stringContaining('Seen words 0'),
  ])
  expect(requests.filter(({ messages }) => messages[0] && !textOf(messages[0].content).includes('data'))).toEqual([])
  const [one, , two, three] = told.segments
  expect(one).toMatchObject({
    segment_index: 0,
    multimodal_description: 'Told words 0',
    key_events: ['a wheel turns round'],
  })
  expect(one?.modalities.visual).toBe('Seen words 0; 0 cuts')
  expect(three?.modalities.visual).toBe('0 cuts')
  expect(two).toMatchObject({ multimodal_description: 'Said: words 2', key_events: [] })
  expect(told.meta).toEqual({ summary: 'As its owner sums it up.', categories: ['Craft'] })
})

test('where nobody sees, the rest is told all the same', async () => {
  const requests: ChatRequest[] = []
  const author = modelOf(requests)
  const [seen] = describingStages
  expect(seen?.units(record, { settings: {}, seed: 1, author: { by: 'rules' }, before: {} })).toEqual([])
  expect(seen?.role).toBe('look')
  const fused = describingStages[1]
  expect(fused?.units(record, { settings: {}, seed: 1, author, before: { seen: [] } })).toHaveLength(6)
})
