import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { ChatModel } from '../../../src/core/chat.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { calibrationSets } from '../../protocols/judge/calibration/calibration-set.ts'
import type { Protocol } from '../../protocols/judge/protocol.ts'
import { modelJudge, wordsJudge } from '../judge-service.ts'
import { calibrate } from './calibrate.ts'

const signal = new AbortController().signal
const protocolOf = async (name: string): Promise<Protocol> => (await loadBenchmark(name)).judge!

function always(text: string): ChatModel {
  return {
    id: 'chat/always',
    accepts: new Set(['text']),
    reply: async () => ({ text, calls: [], stop: 'end', usage: { inputTokens: 3, outputTokens: 1 }, model: 'always' }),
  }
}

describe('the shipped sets', () => {
  const { 'short answers': short, scores, criteria } = calibrationSets

  test('hold 230 items: 13 classes by 10, 40 scores in five bands, 60 criteria', () => {
    const sizes = (items: { class: string }[]) => [...groupBy(items, item => item.class).values()].map(of => of.length)
    expect(sizes(short())).toEqual(Array(13).fill(10))
    expect(sizes(scores())).toEqual(Array(5).fill(8))
    expect(sizes(criteria()).sort()).toEqual([10, 10, 20, 20])
    const all = [...short(), ...scores(), ...criteria()]
    expect(all).toHaveLength(230)
    expect(new Set(all.map(item => item.id)).size).toBe(230)
    for (const { id, target, answer } of all) expect([id, target !== '', answer !== '']).toEqual([id, true, true])
  })

  test('are what their class says', () => {
    const of = (name: string) => short().filter(item => item.class === name)
    for (const { target, answer } of of('exact')) expect(answer).toBe(target)
    for (const { target, answer } of of('more than asked'))
      expect(answer.toLowerCase()).toContain(target.toLowerCase().split(' ').at(-1))
    for (const { target, answer } of of('hedge with the whole target'))
      expect(answer.toLowerCase()).toContain(target.toLowerCase())
    const first = (text: string) => Number.parseFloat(text)
    const digits = (text: string) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0
    const last = (target: string) => (/\d0k|\d0 /.test(target) ? 10 : 10 ** -digits(target)) / 2
    for (const { target, answer } of of('number inside the last digit'))
      expect([answer, Math.abs(first(answer) - first(target)) < last(target)]).toEqual([answer, true])
    for (const { target, answer } of of('number outside the last digit'))
      expect([answer, Math.abs(first(answer) - first(target)) > last(target)]).toEqual([answer, true])
    for (const { target, answer } of of('unit changed')) {
      expect(first(answer)).toBe(first(target))
      expect(answer).not.toBe(target)
    }
  })

  test('give an answer one more fact for each band', () => {
    for (const item of scores().filter(({ truth }) => truth > 0))
      expect(item.answer.split('. ').length).toBe(item.truth / 2.5)
  })
})

describe('a judge that always says the same', () => {
  test.each([
    ['videoeval-pro', 'A'],
    ['cg-bench', '```json\n{"result": 1}\n```'],
    ['infinibench', '{"score": 10, "justification": "good"}'],
    ['longshot', '{"criteria_met": true}'],
  ])('has kappa 0 under the protocol of %s', async (name, reply) => {
    const check = await calibrate(modelJudge(await protocolOf(name), always(reply)), { signal })
    expect(check?.kappa.value).toBeCloseTo(0, 10)
    expect(check?.bias).toBeGreaterThan(0)
    expect(check?.unjudged).toBe(0)
    expect(check?.calls).toBe(check?.n)
    expect(check?.inputTokens).toBe(3 * (check?.n ?? 0))
  })
})

test('what cannot be read as a verdict is not right, and is counted', async () => {
  const check = await calibrate(modelJudge(await protocolOf('longshot'), always('maybe')), { signal })
  expect(check).toMatchObject({ n: 60, right: 0, unjudged: 60, kappa: { value: null }, bias: null })
})

test('the figures of the judge by words stand in the docs', async () => {
  const docs = await readFile('docs/benchmark-runs.md', 'utf8')
  for (const name of ['videoeval-pro', 'cg-bench', 'infinibench', 'longshot']) {
    const check = await calibrate(wordsJudge(await protocolOf(name)), { signal })
    const { right, n, kappa, bias } = check!
    const interval = `${kappa.value?.toFixed(2)} (${kappa.low?.toFixed(2)} to ${kappa.high?.toFixed(2)})`
    expect(docs).toContain(`| ${name} | ${right} of ${n} | ${interval} | ${bias?.toFixed(1)} |`)
  }
  const { classes } = (await calibrate(wordsJudge(await protocolOf('videoeval-pro')), { signal }))!
  const perClass = Object.entries(classes).map(([name, { right }]) => `${name} ${right}`)
  expect(docs).toContain(perClass.join(', '))
})
