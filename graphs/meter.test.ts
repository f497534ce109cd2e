import { describe, expect, test } from 'vitest'
import { Budget } from '../src/core/agent.ts'
import { emptyUsage, type Usage } from '../src/core/chat.ts'
import { Meter, reachedLimit } from './meter.ts'

describe('budgets', () => {
  const budget = Budget.parse({ steps: 4, tokens: 1000, frames: 10, seconds: 100, money: 1 })
  const spent = (usage: Partial<Usage>) => ({ ...emptyUsage, ...usage })

  test('each of them ends the search', () => {
    expect(reachedLimit(spent({}), budget, 4)).toBe('steps')
    expect(reachedLimit(spent({ inputTokens: 900 }), budget, 0)).toBe('tokens')
    expect(reachedLimit(spent({ frames: 10 }), budget, 0)).toBe('frames')
    expect(reachedLimit(spent({ seconds: 90 }), budget, 0)).toBe('seconds')
    expect(reachedLimit(spent({ money: 1 }), budget, 0)).toBe('money')
    expect(reachedLimit(spent({ inputTokens: 500, seconds: 10 }), budget, 1)).toBeUndefined()
  })

  test('keep something back for writing the answer', () => {
    expect(reachedLimit(spent({ inputTokens: 850 }), budget, 0)).toBe('tokens')
    const mayAsk = (inputTokens: number) => {
      const meter = new Meter({ budget, signal: new AbortController().signal }, spent({ inputTokens }))
      meter.close()
      return meter.mayAsk()
    }
    expect(mayAsk(850)).toBe(true)
    expect(mayAsk(1000)).toBe(false)
  })
})
