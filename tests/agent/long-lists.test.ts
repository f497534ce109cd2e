import { expect, test } from 'vitest'
import type { Step } from '../../src/core/agent.ts'
import type { Finding } from '../../src/core/evidence.ts'
import type { People } from '../../src/core/people.ts'
import browse from '../../tools/browse.ts'
import { type AskMore, ask } from './ask.ts'
import { handMadeContext, handMadeIndex } from './hand-made-index.ts'
import { seeingModel, wordsIn } from './seen-index.ts'

// Lists of 2,500 rows: what a page leaves out comes in the next ones, each row once and in order.

const count = 2500
const seconds = 4 // of a row, which ends where the next one begins
const longIndex = (finding: (at: number) => Omit<Finding, 'span'>) => {
  const rows = Array.from({ length: count }, (_, at): Finding => {
    return { span: { start: at * seconds, end: (at + 1) * seconds }, ...finding(at) }
  })
  return handMadeIndex({ duration: count * seconds, rows })
}
const beeps = longIndex(at => ({ track: 'sound', text: at % 5 ? 'silence' : 'beep near 500 Hz' }))
const ids = (index: typeof beeps) => index.evidence().map(({ id }) => id)

// Rows as the lists gave them, without the ones that a page repeats of the page before.
function listed(steps: readonly Step[]): string[] {
  const lists = steps.filter(({ tool, outcome }) => tool === 'timeline' && outcome === 'found')
  expect(lists.length).toBeGreaterThan(1)
  return [...new Set(lists.flatMap(({ evidence }) => evidence))]
}

test('the rules read captions to the last one, which alone shows what is asked', async () => {
  const index = longIndex(at => ({
    track: 'caption',
    text: `A man in a ${at === count - 1 ? 'red shirt juggles' : 'white shirt walks'} in a cave.`,
  }))
  const { answer, steps } = await ask(index, 'What colour is the shirt of the person who juggles in the cave?')
  expect(listed(steps)).toEqual(ids(index))
  expect(answer.text).toMatch(/^red/)
})

const ready = seeingModel(() => ({ text: 'READY' }))
test.each([
  ['the rules', {}],
  ['a planner that stops at once', { planner: ready }],
] as [string, AskMore][])('a count has every row of the video listed, with %s', async (_, more) => {
  const { answer, steps } = await ask(beeps, 'How many beeps are heard?', more)
  expect(listed(steps)).toEqual(ids(beeps))
  expect(answer.text).toMatch(/^500\b/)
})

test('a planner is never shown a list longer than the room for results, and knows what is left', async () => {
  const planner = seeingModel((_, n) =>
    n === 0 ? { calls: [{ id: 'c', name: 'timeline', arguments: { limit: 2000 } }] } : { text: 'READY' },
  )
  await ask(beeps, 'When is the first beep?', { planner, policy: { lookBeforeAnswer: false } })
  const shown = planner.requests.map(wordsIn)
  expect(shown.at(-1)).toMatch(/The first 2000 of 2500 are shown.*and \d+ more rows: /s)
  expect(Math.max(...shown.map(text => text.length))).toBeLessThan(40_000)
})

test('who is there is told in 20,000 characters at most, however many people are known', async () => {
  const people: People = {
    people: Array.from({ length: count }, (_, at) => ({
      ...{ id: `p${at}`, label: `Person number ${at}`, names: [], speakers: [], faces: [], descriptions: [] },
      ...{ spans: [{ start: at, end: at + 1, what: 'appears' }], merges: [], unsure: [] },
    })),
    ...{ looks: [], things: [] },
  }
  const planner = seeingModel((_, n) =>
    n === 0 ? { calls: [{ id: 'c', name: 'who', arguments: {} }] } : { text: 'READY' },
  )
  const { steps } = await ask({ ...beeps, people }, 'Who is there?', { planner })
  const told = steps.find(({ tool }) => tool === 'who')?.text ?? ''
  expect(told).toMatch(/^Person number 0\b/)
  expect(told.length).toBeLessThanOrEqual(20_100)
  const [first, ...others] = planner.requests.map(request => wordsIn(request).length)
  expect(first).toBeLessThan(20_000)
  expect(Math.max(...others)).toBeLessThan(40_000)
})

test('browse goes on from where it says that it does', async () => {
  const index = longIndex(at => ({ track: 'summary', text: `clip ${at}`, level: 'clip' }))
  const found: string[] = []
  for (let start: number | undefined = 0, pages = 0; start !== undefined; pages++) {
    const input = browse.input.parse({ level: 'clip', start, k: 200 })
    const { evidence, text } = await browse.run(input, handMadeContext(index))
    expect(evidence.length).toBeLessThanOrEqual(200)
    expect(pages).toBeLessThan(20)
    found.push(...evidence.map(row => row.text))
    const next = /more clips from \[([\d:]+)-/.exec(text ?? '')?.[1]
    start = next?.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  }
  expect(found).toEqual(Array.from({ length: count }, (_, at) => `clip ${at}`))
})
