import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/evidence.ts'
import { overlap, type Span } from '../../src/core/time.ts'
import { notUnderstood } from '../../src/core/words/not-understood.ts'
import { all } from '../../tests/contracts/sound.ts'
import { hearEverySpan } from './hear-every-span.ts'

// Twelve sentences of three seconds, and what a recogniser makes of them.
const spans = Array.from({ length: 12 }, (_, i) => ({ start: i * 5, end: i * 5 + 3 }))
const lineOf = (span: Span, text = `sentence at ${span.start}`): Finding => ({ span, track: 'speech', text })

// A recogniser that hears these spans among others, and others only on their own.
function recogniser(hears: (span: Span, alone: boolean) => Finding[]) {
  const asked: Span[][] = []
  return {
    asked,
    async *hear(parts: Span[]) {
      asked.push(parts)
      for (const part of parts) yield* hears(part, parts.length === 1)
    },
  }
}

describe('a voiced span without a line', () => {
  test('is heard again on its own, and its line stands in the order of time', async () => {
    const { hear, asked } = recogniser((span, alone) => (alone || span.start % 10 === 0 ? [lineOf(span)] : []))
    const lines = await all(hearEverySpan(spans, hear))
    expect(lines.map(({ span }) => span)).toEqual(spans)
    expect(asked.slice(1)).toEqual(spans.filter(({ start }) => start % 10 !== 0).map(span => [span]))
  })

  test('that stays without a line is asked for once more and no oftener, and is named', async () => {
    const { hear, asked } = recogniser(span => (span.start === 20 ? [] : [lineOf(span)]))
    const lines = await all(hearEverySpan(spans, hear))
    expect(asked).toHaveLength(2)
    expect(
      notUnderstood(
        spans,
        lines.map(({ span }) => span),
      ),
    ).toEqual([{ start: 20, end: 23 }])
  })

  test('is heard on from the last line, as long as that brings another', async () => {
    const long = { start: 0, end: 12 }
    const { hear, asked } = recogniser(({ start, end }) => [lineOf({ start, end: Math.min(end, start + 4) })])
    const lines = await all(hearEverySpan([long], hear))
    expect(lines.map(({ span }) => span.start)).toEqual([0, 4, 8])
    expect(asked.map(([part]) => part?.start)).toEqual([0, 4, 8])
  })
})

test('what has a line is heard once, also where a line covers several voices', async () => {
  const near = [
    { start: 0, end: 2.3 },
    { start: 3.1, end: 4.5 },
    { start: 5.2, end: 7.8 },
  ]
  const asked: Span[][] = []
  const lines = await all(
    hearEverySpan(near, async function* (parts) {
      asked.push(parts)
      yield lineOf({ start: 0, end: 7.8 })
    }),
  )
  expect(asked).toEqual([near])
  expect(lines).toHaveLength(1)
})

test('a line ends with the voice that said it, and so do its words; a line beside all voices is dropped', async () => {
  const voices = [
    { start: 7, end: 12.4 },
    { start: 30, end: 33 },
  ]
  const words = [
    { text: 'the', start: 7.1, end: 7.4 },
    { text: 'market', start: 11.7, end: 18.1 },
  ]
  const lines = await all(
    hearEverySpan(voices, async function* (parts) {
      if (parts.length < 2) return
      yield { ...lineOf({ start: 7, end: 22 }), words }
      yield lineOf({ start: 24, end: 26 }, 'Thank you.')
      yield lineOf({ start: 30, end: 40 })
    }),
  )
  expect(lines.map(({ span }) => [span.start, span.end])).toEqual([
    [7.1, 12.6],
    [30, 33.2],
  ])
  expect(lines[0]?.words?.at(-1)).toMatchObject({ start: 11.7, end: 12.6 })
  for (const { span } of lines) expect(voices.some(voice => overlap(span, voice) > 0)).toBe(true)
})

test('a line of a part of a voice leaves only the rest without a line', () => {
  const voiced = [{ start: 0, end: 20 }]
  expect(notUnderstood(voiced, [{ start: 0.4, end: 9 }])).toEqual([{ start: 9, end: 20 }])
  expect(notUnderstood(voiced, [{ start: 0, end: 19 }])).toEqual([])
  expect(notUnderstood([{ start: 0, end: 0.6 }], [])).toEqual([{ start: 0, end: 0.6 }])
})
