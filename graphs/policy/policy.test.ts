import { describe, expect, test } from 'vitest'
import type { AgentState, Step } from '../../src/core/agent.ts'
import { Budget } from '../../src/core/agent.ts'
import { emptyUsage } from '../../src/core/chat.ts'
import type { Coverage, TrackCoverage } from '../../src/core/video.ts'
import { exhausted, mayCallModel } from './budgets.ts'
import { degradedBy } from './degraded.ts'
import { exhaustiveScan } from './exhaustive-scan.ts'
import { emptyRounds, isStuck, noveltyHint } from './novelty-guard.ts'
import { routeOf } from './routing.ts'

describe('routing', () => {
  test.each([
    ['How many times does the bell ring?', 'count'],
    ['When does the speaker mention Paris?', 'when'],
    ['In which order do the slides appear?', 'order'],
    ['Summarise the talk.', 'summary'],
    ['What is written on the second sign?', 'on-screen'],
    ['Which sound is heard at the end?', 'sound'],
    ['Is there a dog in the video?', 'presence'],
    ['What is the difference between the two engines?', 'compare'],
    ['Where is Sheila from?', 'fact'],
  ])('%s -> %s', (question, route) => {
    expect(routeOf(question)).toBe(route)
  })

  test('options that are sequences make it a question of order', () => {
    expect(routeOf('Choose the right one.', ['a -> b -> c', 'b -> a -> c'])).toBe('order')
  })
})

describe('budgets', () => {
  const budget = Budget.parse({ steps: 4, tokens: 1000, frames: 10, seconds: 100, money: 1 })
  const spent = (usage: Partial<AgentState['spent']>) => ({ spent: { ...emptyUsage, ...usage } }) as AgentState

  test('each of them ends the search', () => {
    expect(exhausted(spent({}), budget, 4, 0)).toBe('steps')
    expect(exhausted(spent({ inputTokens: 900 }), budget, 0, 0)).toBe('tokens')
    expect(exhausted(spent({ frames: 10 }), budget, 0, 0)).toBe('frames')
    expect(exhausted(spent({}), budget, 0, 90)).toBe('seconds')
    expect(exhausted(spent({ money: 1 }), budget, 0, 0)).toBe('money')
    expect(exhausted(spent({ inputTokens: 500 }), budget, 1, 10)).toBeUndefined()
  })

  test('keep something back for writing the answer', () => {
    expect(exhausted(spent({ inputTokens: 850 }), budget, 0, 0)).toBe('tokens')
    expect(mayCallModel(spent({ inputTokens: 850 }), budget, 0)).toBe(true)
    expect(mayCallModel(spent({ inputTokens: 1000 }), budget, 0)).toBe(false)
  })
})

describe('the novelty guard', () => {
  const step = (round: number, outcome: Step['outcome'], evidence: string[] = []): Step => ({
    round,
    tool: 'search',
    input: {},
    outcome,
    evidence,
    notes: [],
    seconds: 0,
  })

  test('counts rounds without anything new up to now', () => {
    expect(emptyRounds([step(0, 'found', ['a']), step(1, 'nothing'), step(2, 'repeated', ['a'])], 3)).toBe(2)
    expect(emptyRounds([step(0, 'nothing'), step(1, 'found', ['a'])], 2)).toBe(0)
  })

  test('other words that bring the same rows bring nothing new', () => {
    expect(emptyRounds([step(0, 'found', ['a', 'b']), step(1, 'found', ['b'])], 2)).toBe(1)
  })

  test('says something else at each rung, and gives up after the last', () => {
    const steps = [0, 1, 2, 3].map(round => step(round, 'nothing'))
    const hints = [1, 2, 3].map(round => noveltyHint(steps, round))
    expect(new Set(hints).size).toBe(3)
    expect(noveltyHint([], 0)).toBeUndefined()
    expect(isStuck(steps, 3)).toBe(false)
    expect(isStuck(steps, 4)).toBe(true)
  })
})

describe('the exhaustive scan', () => {
  test('is asked for only where it is due and was not made', () => {
    const listed: Step = {
      round: 0,
      tool: 'timeline',
      input: {},
      outcome: 'found',
      evidence: [],
      notes: [],
      seconds: 0,
    }
    const state = (text: string, steps: Step[]) =>
      ({ question: { text }, steps, evidence: [] }) as unknown as AgentState
    const beeps = (steps: Step[]) => exhaustiveScan(state('How many beeps are heard?', steps), ['timeline'], 100)
    expect(beeps([])[0].arguments).toMatchObject({ tracks: ['sound', 'speech'] })
    expect(beeps([listed])).toEqual([])
    expect(beeps([{ ...listed, input: { start: 10, end: 20 } }])).toHaveLength(1)
    expect(beeps([{ ...listed, input: { tracks: ['text'] } }])).toHaveLength(1)
    expect(exhaustiveScan(state('What is the password?', []), ['timeline'], 100)).toEqual([])
    expect(exhaustiveScan(state('How many beeps are heard?', []), ['search'], 100)).toEqual([])
  })
})

describe('what an answer could not rest on', () => {
  const indexed: TrackCoverage = { state: 'indexed', spans: [{ start: 0, end: 100 }], items: 1 }
  const coverage: Coverage = {
    duration: 100,
    picture: indexed,
    speech: indexed,
    sound: indexed,
    text: indexed,
    notes: [],
  }

  test('a whole index has nothing to say', () => {
    expect(degradedBy(coverage, 'answered', [])).toEqual([])
  })

  test('absent, off, failed and partial are different sentences', () => {
    const said = degradedBy(
      {
        ...coverage,
        speech: { ...indexed, state: 'absent' },
        text: { ...indexed, state: 'off' },
        sound: { ...indexed, state: 'failed', note: 'no memory' },
        picture: { ...indexed, state: 'partial', spans: [{ start: 0, end: 70 }] },
      },
      'seconds',
      [],
    )
    expect(said).toEqual([
      'Picture is indexed only in part, without [1:10-1:40].',
      'The video has no speech.',
      'Sound could not be indexed: no memory.',
      'Text on screen was not indexed (off).',
      'The search ended because the time was up.',
    ])
  })
})
