import { expect, test } from 'vitest'
import { Budget } from '../../src/core/agent.ts'
import { SightBrief } from '../../src/core/brief.ts'
import type { ChatReply } from '../../src/core/chat.ts'
import type { Finding } from '../../src/core/evidence.ts'
import { ratedARound, windowsOfSheet } from '../../src/core/sight/sheet.ts'
import { decodeImage } from '../../src/media/image.ts'
import { type AskMore, ask } from './ask.ts'
import { handMadeIndex, said, shown } from './hand-made-index.ts'
import { imagesIn, paintOf, type SeeingModel, seeingModel, withStills, wordsIn } from './seen-index.ts'

const caption = (start: number, text: string): Finding => ({ span: { start, end: start + 8 }, track: 'caption', text })
const rows = [
  ...Array.from({ length: 10 }, (_, i) => caption(i * 20, `a boat number ${i} in the harbor`)),
  said(210, 214, 'the harbor is closed'),
  shown(220, 228, 'HARBOR REPORT'),
]
const harbor = withStills(handMadeIndex({ duration: 240, rows }), 2)
const planner = () =>
  seeingModel((_, n) =>
    n === 0 ? { calls: [{ id: 'c', name: 'search', arguments: { query: 'harbor', k: 12 } }] } : { text: 'READY' },
  )
// Rates the first of each sheet 4 and the others 1.
const byFirst = ({ length }: { length: number }): Partial<ChatReply> => ({
  text: JSON.stringify({
    ratings: Array.from({ length }, (_, i) => ({ number: i + 1, relevance: i === 0 ? 4 : 1, reason: 'seen' })),
  }),
})
const eyes = () => seeingModel(request => byFirst({ length: SightBrief.parse(request.brief).pictures.flat().length }))
const alone = {
  ...{ lookBeforeAnswer: false, minimumIndependentEvidence: false, noveltyGuard: false, skim: false },
  ratingBySight: true,
}

async function rated(model: SeeingModel, more: AskMore = {}) {
  const services = { vision: async () => ({ by: 'chat/eyes', service: model }) }
  const policy = { ...alone, ...more.policy }
  const state = await ask(harbor, 'Where is the whale?', {
    planner: planner(),
    services,
    paint: paintOf(harbor),
    ...more,
    policy,
  })
  return { state, ratings: state.weighed?.ratings ?? [] }
}
const byWhom = (ratings: readonly { by: string }[], by: string) => ratings.filter(one => one.by === by)

test('candidates that are seen are rated in one call a sheet of nine windows, and each rating says by whom', async () => {
  const model = eyes()
  const { state, ratings } = await rated(model)
  const asked = model.requests.filter(request => request.purpose === 'rate')
  expect(asked).toHaveLength(2)
  expect(asked.map(request => imagesIn(request).length)).toEqual([1, 1])
  expect(wordsIn(asked[0])).toMatch(/#9: /)
  expect(wordsIn(asked[0])).not.toMatch(/#10: /)
  expect(wordsIn(asked[1])).toMatch(/#2: [\s\S]*Question: Where is the whale\?/)
  expect(byWhom(ratings, 'chat/eyes')).toHaveLength(11)
  expect(byWhom(ratings, 'words')).toHaveLength(1) // what was said
  const frames = asked.flatMap(request => SightBrief.parse(request.brief).pictures.flat())
  expect(state.spent.frames).toBe(frames.length)
  expect(frames).toHaveLength(33)
})

test('a window is a strip of frames of its seconds, on a sheet that the model sees as it is', async () => {
  const model = eyes()
  await rated(model)
  const [request] = model.requests
  const [times = []] = SightBrief.parse(request?.brief).pictures
  const starts = [...wordsIn(request).matchAll(/^#\d+: \S+ \[(\d+):(\d+)-/gm)].map(
    ([, m, s]) => Number(m) * 60 + Number(s),
  )
  expect(starts).toHaveLength(9)
  for (const [i, start] of starts.entries())
    for (const time of times.slice(i * 3, i * 3 + 3)) expect(time >= start && time < start + 8).toBe(true)
  const sheet = await decodeImage(imagesIn(request)[0] ?? new Uint8Array())
  expect(sheet.width).toBeLessThanOrEqual(1024 + 8)
})

test('what the words found is not put aside by its looks, and what neither shows nor says it is', async () => {
  const { ratings } = await rated(eyes())
  const seen = byWhom(ratings, 'chat/eyes') as typeof ratings
  // The search asked for the harbor, which each row names.
  expect(seen.filter(one => one.score === 2).every(one => /kept: words found it/.test(one.reason))).toBe(true)
  expect(seen.filter(one => one.score === 1)).toEqual([])
  expect(seen.filter(one => one.score === 4)).toHaveLength(2)
})

test('all candidates are rated by sight where that is set, and none where it is off', async () => {
  expect(byWhom((await rated(eyes(), { policy: { ratedBySight: 'all' } })).ratings, 'chat/eyes')).toHaveLength(12)
  const off = eyes()
  expect(byWhom((await rated(off, { policy: { ratingBySight: false } })).ratings, 'words')).toHaveLength(12)
  expect(off.requests).toEqual([])
})

test('without a model that sees they are rated by words', async () => {
  const blind = seeingModel(() => ({}))
  Object.assign(blind, { accepts: new Set(['text']) })
  const { ratings } = await rated(blind)
  expect(byWhom(ratings, 'words')).toHaveLength(12)
  expect(blind.requests).toEqual([])
  expect(byWhom((await rated(blind, { services: {} })).ratings, 'words')).toHaveLength(12)
})

test('it takes a quarter of the frames that are left, and less than a window each for the first of them', async () => {
  const few = eyes()
  const some = await rated(few, { budget: { frames: 60 } })
  expect(some.state.spent.frames).toBe(11)
  const { state, ratings } = await rated(eyes(), { budget: { frames: 20 } })
  expect(state.spent.frames).toBe(5)
  expect([byWhom(ratings, 'chat/eyes').length, byWhom(ratings, 'words').length]).toEqual([5, 7])
})

test('a reply that rates nothing leaves it to the words, and says so', async () => {
  const events: NonNullable<AskMore['events']> = []
  const { ratings } = await rated(
    seeingModel(() => ({ text: 'I like boats.' })),
    { events },
  )
  expect(byWhom(ratings, 'words')).toHaveLength(12)
  expect(JSON.stringify(events)).toMatch(/chat\/eyes rated no window of its sheet; words rate them/)
})

test('a planner that searches for ever has no more sheets rated than a forecast says: two a round', async () => {
  const model = eyes()
  const words = ['harbor', 'boat', 'report', 'closed', 'number', 'the', 'is', 'a']
  const { state } = await rated(model, {
    planner: seeingModel((_, n) => ({
      calls: [{ id: `c${n}`, name: 'search', arguments: { query: words[n % words.length], k: 16 } }],
    })),
    budget: Budget.parse({ steps: 3, frames: 400 }),
  })
  const sheets = model.requests.filter(request => request.purpose === 'rate').length
  expect(sheets).toBeGreaterThan(1)
  expect(sheets).toBeLessThanOrEqual(Math.ceil(ratedARound / windowsOfSheet) * 3)
  expect(state.spent.frames).toBeLessThanOrEqual(400)
})
