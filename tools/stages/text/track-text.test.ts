import { describe, expect, test } from 'vitest'
import type { TextLine } from '../../../src/core/services.ts'
import type { Shot, Still } from '../../../src/core/video.ts'
import { trackText } from './track-text.ts'

const still = (time: number): Still => ({
  time,
  shot: 0,
  reason: 'text',
  width: 640,
  height: 360,
  offset: 0,
  length: 1,
})
const line = (text: string, y: number, confidence = 0.9): TextLine => ({
  text,
  confidence,
  box: { x: 0.1, y, width: 0.5, height: 0.05 },
})
const shots: Shot[] = [
  { start: 0, end: 10, opens: 'start' },
  { start: 10, end: 30, opens: 'cut' },
]

test('a text shown on many stills is one row from its first frame to its last', () => {
  const rows = trackText(
    [0.5, 3, 6].map(time => ({ still: still(time), lines: [line('OPENING HOURS', 0.2)] })),
    shots,
    8,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.span).toEqual({ start: 0, end: 8 })
})

test('a row knows the moment from which the picture beside its text is whole', () => {
  const sign = [line('HOTEL DELTA', 0.1)]
  const kept = [58, 58.5, 59.5, 64.5].map(
    (time, at) => ({ ...still(time), reason: at < 3 ? 'change' : 'interval' }) as Still,
  )
  const shown: Shot[] = [{ start: 58, end: 68, opens: 'cut' }]
  const rows = trackText([{ still: kept[0]!, lines: sign }], shown, 68, kept)
  expect(rows.map(({ span, frame }) => [span.start, frame])).toEqual([[58, 59.5]])
  // Of what goes on to move no more is waited for than what comes up with a text takes.
  const moving = Array.from({ length: 10 }, (_, at) => ({ ...still(58 + at), reason: 'change' }) as Still)
  expect(trackText([{ still: moving[0]!, lines: sign }], shown, 68, moving)[0]?.frame).toBe(60)
})

test('the best reading of a text wins over worse ones', () => {
  const readings = [
    { still: still(1), lines: [line('0PENING H0URS', 0.2, 0.5)] },
    { still: still(2), lines: [line('OPENING HOURS', 0.21, 0.95)] },
  ]
  expect(trackText(readings, shots, 8).map(row => row.text)).toEqual(['OPENING HOURS'])
})

test('a reading that lacks a letter at an end wins over no whole one, in either order', () => {
  const [whole, cut] = [line('The new bridge', 0.2, 0.955), line('he new bridge', 0.2, 0.97)]
  for (const order of [
    [whole, cut],
    [cut, whole],
  ])
    expect(
      trackText(
        order.map((one, at) => ({ still: still(1 + at), lines: [one] })),
        shots,
        8,
      ).map(row => row.text),
    ).toEqual(['The new bridge'])
})

test('a line that is added to a slide later has a row of its own', () => {
  const readings = [
    { still: still(0), lines: [line('Agenda', 0.1)] },
    { still: still(4), lines: [line('Agenda', 0.1), line('Budget for the year', 0.3)] },
  ]
  expect(trackText(readings, shots, 10).map(row => [row.text, row.span])).toEqual([
    ['Agenda', { start: 0, end: 10 }],
    ['Budget for the year', { start: 4, end: 10 }],
  ])
})

test('lines that come and go together are one row in reading order', () => {
  const readings = [
    { still: still(0), lines: [] },
    { still: still(12), lines: [line('second', 0.5), line('first', 0.2)] },
  ]
  const rows = trackText(readings, shots, 30)
  expect(rows.map(row => row.text)).toEqual(['first\nsecond'])
  expect(rows[0]!.span.start).toBe(10) // the shot's first frame, not the still's
})

describe('a text that is read on the first still after a gradual cut', () => {
  const sign = [line('HOTEL VEGA', 0.1)]
  const from10 = (opens: Shot['opens']): Shot[] => [
    { start: 0, end: 10, opens: 'start' },
    { start: 10, end: 30, opens },
    { start: 30, end: 40, opens: 'cut' },
  ]
  const ends = (opens: Shot['opens'], times: number[], shown: number[]) => {
    const readings = times.map(time => ({ still: still(time), lines: shown.includes(time) ? sign : [] }))
    return trackText(readings, from10(opens), 40).map(({ span }) => span.end)
  }

  test('shines through where the next still of the shot lacks it', () => {
    expect(ends('gradual', [4, 10.3, 18], [4, 10.3])).toEqual([10])
  })

  test('stands in every other case', () => {
    expect(ends('cut', [4, 10.3, 18], [4, 10.3])).toEqual([18])
    expect(ends('gradual', [4, 10.3, 18, 25], [4, 10.3, 18])).toEqual([25])
    expect(ends('gradual', [4, 12, 18], [4, 12])).toEqual([18]) // too late for a dissolve
    expect(ends('gradual', [10.3, 18], [10.3])).toEqual([18]) // no text of the shot before
    expect(ends('gradual', [4, 10.3, 31], [4, 10.3])).toEqual([30]) // the only still of its shot
  })
})

test('what is read on one still of a cut, of two pictures at once, is no text; a short title is', () => {
  const cut: Shot[] = [
    { start: 0, end: 18, opens: 'start' },
    { start: 18, end: 18.08, opens: 'gradual' },
    { start: 18.08, end: 18.5, opens: 'cut' },
    { start: 18.5, end: 30, opens: 'cut' },
  ]
  const readings = [
    { still: still(5), lines: [line('Desert Lights', 0.1)] },
    { still: still(18.04), lines: [line('ums / Visitors: 974', 0.3, 0.96)] },
    { still: still(18.1), lines: [line('PART TWO', 0.5, 0.96)] },
    { still: still(20), lines: [] },
  ]
  expect(trackText(readings, cut, 30).map(row => row.text)).toEqual(['Desert Lights', 'PART TWO'])
})

test('a counter that moves on is not one text that stays', () => {
  const readings = [1, 2, 3].map(second => ({ still: still(second), lines: [line(`TIME 00:0${second}`, 0.9)] }))
  expect(trackText(readings, shots, 4)).toHaveLength(3)
})

test('the same words at two different times are two rows', () => {
  const readings = [
    { still: still(1), lines: [line('SALE', 0.4)] },
    { still: still(4), lines: [] },
    { still: still(7), lines: [line('SALE', 0.4)] },
  ]
  expect(trackText(readings, shots, 9).map(row => row.span)).toEqual([
    { start: 0, end: 4 },
    { start: 7, end: 9 },
  ])
})

test('numbers that differ are two texts, with and without a space before them', () => {
  const numbers = (colon: string) =>
    trackText(
      [137, 198, 259].map((sum, at) => ({ still: still(1 + at), lines: [line(`Budget${colon}${sum} dollars`, 0.5)] })),
      shots,
      8,
    )
  for (const colon of [': ', ':'])
    expect(numbers(colon).map(row => row.text)).toEqual([137, 198, 259].map(sum => `Budget${colon}${sum} dollars`))
})

test('slides that differ in one word are two texts', () => {
  const readings = [
    { still: still(1), lines: [line('The new bridge', 0.1)] },
    { still: still(5), lines: [line('The old bridge', 0.1)] },
    { still: still(8), lines: [line('The old bridge', 0.1)] },
  ]
  expect(trackText(readings, shots, 10).map(row => [row.text, row.span.start])).toEqual([
    ['The new bridge', 0],
    ['The old bridge', 5],
  ])
})

test('a text that something passes in front of is one row', () => {
  const whole = line('STATION SQUARE', 0.1)
  const half = { ...line('UARE', 0.1), box: { x: 0.4, y: 0.1, width: 0.2, height: 0.05 } }
  const readings = [
    { still: still(11), lines: [whole] },
    { still: still(12), lines: [half] },
    { still: still(13), lines: [] },
    { still: still(14), lines: [whole] },
  ]
  const rows = trackText(readings, shots, 20)
  expect(rows.map(row => [row.text, row.span])).toEqual([['STATION SQUARE', { start: 10, end: 20 }]])
})

describe('a line that runs through the picture', () => {
  // A reader sees the letters that are inside the picture; one that is cut off is read as something else.
  const running = (text: string, { from = 1, speed = -0.14, width = 0.8 } = {}) => {
    const left = (time: number) => from + speed * time
    return (time: number): TextLine[] => {
      const places = [...text].map((letter, at) => ({ letter, x: left(time) + (at * width) / text.length }))
      const seen = places.filter(({ x }) => x >= 0 && x <= 1 - width / text.length)
      const [first, last] = [seen[0]?.x ?? 0, (seen.at(-1)?.x ?? 0) + width / text.length]
      const shown = seen.map(({ letter }) => letter).join('')
      if (shown.trim().length < 2) return []
      const cut = last > 1 - width / text.length && seen.length < text.length
      return [
        {
          text: cut ? `${shown}’` : shown,
          confidence: 0.9,
          box: { x: first, y: 0.86, width: last - first, height: 0.08 },
        },
      ]
    }
  }
  const rowsOf = (lines: (time: number) => TextLine[], end: number, cut = end) =>
    trackText(
      Array.from({ length: end }, (_, time) => ({ still: still(time), lines: lines(time) })),
      cut < end
        ? [
            { start: 0, end: cut, opens: 'start' },
            { start: cut, end, opens: 'cut' },
          ]
        : [{ start: 0, end, opens: 'start' }],
      end,
    )

  test('is one row, of its whole text, from its first piece to its last', () => {
    const rows = rowsOf(running('Flight to Toronto late by 35 minutes'), 16)
    expect(rows.map(row => row.text)).toEqual(['Flight to Toronto late by 35 minutes'])
    expect(rows[0]!.span.start).toBeLessThanOrEqual(1)
    expect(rows[0]!.span.end).toBeGreaterThanOrEqual(12)
  })

  test('keeps the words of a whole reading, whatever its last pieces are read as', () => {
    const text = 'Flight to Toronto late by 35 minutes'
    const clean = running(text)
    const worse = (time: number) =>
      clean(time).map(one => ({
        ...one,
        text: one.box.x < 0.02 ? one.text.replace('35', '36') : one.text,
        confidence: 0.7,
      }))
    expect(rowsOf(worse, 16).map(row => row.text)).toEqual([text])
  })

  test('is whole though the picture never holds all of it, and goes on over a cut', () => {
    const news = 'Storm over the coast tonight; trains to the north are late; the harbour stays closed until Monday'
    expect(rowsOf(running(news, { width: 2.4 }), 24, 11).map(row => row.text)).toEqual([news])
  })

  test('is not the line that comes after it, nor one that stands below the same words', () => {
    const both = (time: number) => [
      ...running('Flight to Toronto late by 35 minutes')(time),
      { text: 'Flight to Oslo late by 40 minutes', confidence: 0.9, box: { x: 0.1, y: 0.4, width: 0.7, height: 0.08 } },
      ...running('Flight to Rome late by 5 minutes', { from: 3 })(time),
    ]
    expect(rowsOf(both, 30).map(row => row.text)).toEqual([
      'Flight to Oslo late by 40 minutes',
      'Flight to Toronto late by 35 minutes',
      'Flight to Rome late by 5 minutes',
    ])
  })

  test('a title on another place of the next slide is a row of its own', () => {
    const at = (x: number, text: string) => [{ ...line(text, 0.2), box: { x, y: 0.2, width: 0.5, height: 0.05 } }]
    const slides = (time: number) => (time < 5 ? at(0.1, 'The new bridge') : at(0.4, 'The new bridge opens'))
    expect(rowsOf(slides, 10, 5).map(row => row.text)).toEqual(['The new bridge', 'The new bridge opens'])
  })
})
