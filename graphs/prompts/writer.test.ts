import { describe, expect, test } from 'vitest'
import { stamp } from '../../src/core/evidence.ts'
import { itemAt } from '../../tests/agent/hand-made-index.ts'
import { compact } from './writer.ts'

const rows = Array.from({ length: 200 }, (_, i) =>
  stamp(
    {
      track: 'speech',
      span: { start: i, end: i + 1 },
      text: i === 150 ? 'the password is blue falcon' : `line number ${i} of many`,
    },
    'v',
    'by/hand',
  ),
)

describe('a ledger that is too long for a prompt', () => {
  test('keeps what the question is about, in the order of the video, and every id', () => {
    const { rows: kept, rest } = compact('What is the password?', rows, [], 1000)
    expect(kept.some(row => row.text.includes('falcon'))).toBe(true)
    expect(kept.map(row => row.span.start)).toEqual(kept.map(row => row.span.start).sort((a, b) => a - b))
    expect(new Set([...kept.map(row => row.id), ...rest]).size).toBe(200)
  })

  test('keeps what a search found before what was only listed', () => {
    const step = {
      round: 0,
      tool: 'search',
      input: {},
      outcome: 'found' as const,
      evidence: [itemAt(rows, 7).id],
      notes: [],
      seconds: 0,
    }
    expect(compact('Who?', rows, [step], 120).rows[0]?.id).toBe(itemAt(rows, 7).id)
  })

  test('one that fits is left whole', () => {
    expect(compact('Who?', rows.slice(0, 3), [], 1000)).toEqual({ rows: rows.slice(0, 3), rest: [] })
  })
})
