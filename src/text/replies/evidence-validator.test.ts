import { describe, expect, test } from 'vitest'
import { itemAt } from '../../../tests/agent/hand-made-index.ts'
import { type Evidence, stamp } from '../../core/evidence.ts'
import { formatTime } from '../../core/time.ts'
import { comesFrom, statedTimes } from '../times-in-prose.ts'
import { validate } from './evidence-validator.ts'

function row(start: number, end: number, text = 'some words'): Evidence {
  return stamp({ span: { start, end }, track: 'speech', text }, 'video', 'transcribe/hand')
}

function ledgerOf(...rows: Evidence[]): Map<string, Evidence> {
  return new Map(rows.map(one => [one.id, one]))
}

describe('times stated in prose', () => {
  test.each([
    ['it starts at 1:02', [62]],
    ['see [0:12-0:15]', [12, 15]],
    ['from 1:00 to 1:02:03', [60, 3723]],
    ['at 75 seconds', [75]],
    ['around the 90-second mark', [90]],
    ['about 12.5 s in', [12.5]],
    ['in minute 3', [180]],
    ['at 2 minutes', [120]],
  ])('%s', (text, seconds) => {
    expect(statedTimes(text).flatMap(one => one.seconds)).toEqual(seconds)
  })

  test.each(['42 people came', 'it lasts 3 minutes', 'room 204', 'in 1987', 'a ratio of three to one'])(
    'are not in "%s"',
    text => {
      expect(statedTimes(text)).toEqual([])
    },
  )
})

describe('the validator', () => {
  test('keeps times of the cited rows', () => {
    const one = row(12.4, 15.9)
    const { sentences } = validate([{ text: 'It is said at 0:12 [0:12-0:15].', cites: [one.id] }], ledgerOf(one))
    expect(sentences[0]?.text).toBe('It is said at 0:12 [0:12-0:15].')
  })

  test('keeps a time of day that the row itself says', () => {
    const one = row(100, 104, 'the train leaves at 10:30')
    const { sentences } = validate([{ text: 'The train leaves at 10:30.', cites: [one.id] }], ledgerOf(one))
    expect(sentences[0]?.text).toBe('The train leaves at 10:30.')
  })

  test('takes out times of rows that are in the ledger but not cited', () => {
    const one = row(12, 15)
    const other = row(200, 210)
    const { sentences } = validate([{ text: 'It happens at 3:20.', cites: [one.id] }], ledgerOf(one, other))
    expect(sentences[0]?.text).not.toMatch(/3:20/)
  })

  test('drops a sentence that was nothing but a time', () => {
    expect(validate([{ text: '[3:20-3:30]', cites: [] }], new Map()).sentences).toEqual([])
  })

  test('reads citations out of the text', () => {
    const one = row(1, 2)
    const { sentences } = validate([{ text: `So it is [${one.id}].`, cites: [] }], ledgerOf(one))
    expect(sentences).toEqual([{ text: 'So it is.', cites: [one.id] }])
  })

  test('leaves no time that is not of a cited row, whatever the ledger and the draft', () => {
    const random = seeded(7)
    for (let round = 0; round < 500; round++) {
      const rows = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
        const start = random() * 7200
        return row(start, start + random() * 60, words(random))
      })
      const ledger = ledgerOf(...rows)
      const draft = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
        text: prose(random, rows),
        cites: [itemAt(rows, Math.floor(random() * rows.length)).id, ...(random() < 0.3 ? ['t00000000ff'] : [])],
      }))
      for (const sentence of validate(draft, ledger).sentences) {
        const cited = sentence.cites.map(id => ledger.get(id))
        expect(cited.every(one => one !== undefined)).toBe(true)
        for (const stated of statedTimes(sentence.text))
          expect(comesFrom(stated, cited as Evidence[]), `${stated.text} in "${sentence.text}"`).toBe(true)
      }
    }
  })
})

function prose(random: () => number, rows: readonly Evidence[]): string {
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    const time = random() < 0.4 ? itemAt(rows, Math.floor(random() * rows.length)).span.start : random() * 9000
    const forms = [
      `at ${formatTime(time)}`,
      `[${formatTime(time)}-${formatTime(time + 9)}]`,
      `(${formatTime(time)})`,
      `${Math.floor(time)} seconds in`,
      `at ${time.toFixed(1)} s`,
      `in minute ${Math.floor(time / 60)}`,
      `between ${formatTime(time)} and ${formatTime(time + 5)}`,
      `${formatTime(time)}${formatTime(time)}`,
      words(random),
      '[',
      ':',
      '12',
      '-',
    ]
    return forms[Math.floor(random() * forms.length)]
  }).join(random() < 0.8 ? ' ' : '')
}

function words(random: () => number): string {
  const pool = ['the', 'train', 'leaves', 'at', '10:30', 'room', '204', 'blue', 'to', '5:00', 'seconds', 'in']
  return Array.from({ length: 4 }, () => pool[Math.floor(random() * pool.length)]).join(' ')
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}
