import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tokenTimes } from '../../prepare/word-times.ts'
import { applyTimestampRules } from './timestamp-rules.ts'

// Made by scripts/fixtures/reference_whisper.py with numpy.
const reference = JSON.parse(
  readFileSync(new URL('../../../tests/fixtures/parity/whisper-rules.json', import.meta.url), 'utf8'),
) as {
  rules: { case: number; written: number[]; allowed: number[] }[]
  times: { heads: number; tokens: number; frames: number; seconds: number; rows: number[]; begins: number[] }[]
}

const begin = 50
const size = 151

function scoresOf(turn: number): Float32Array {
  return Float32Array.from(
    { length: size },
    (_, i) =>
      Math.sin(i * (1.3 + turn * 0.37)) * 4 +
      Math.cos(i * i * 0.11 + turn) * (1 + (turn % 4)) +
      (i >= begin ? (turn % 7) - 4 : 0),
  )
}

describe.each(reference.rules)('after $written (scores $case)', ({ case: turn, written, allowed }) => {
  test('the next token may be what the reference allows, and nothing else', () => {
    const scores = scoresOf(turn)
    applyTimestampRules(scores, written, {
      begin,
      noTimestamps: 49,
      end: 40,
      latestFirst: 25,
      suppress: [2, 41, 44],
      suppressFirst: [9, 40],
    })
    const left = [...scores.keys()].filter(token => scores[token]! > -Infinity)
    expect(left).toEqual(allowed)
  })
})

describe.each(reference.times)(
  'the times of $rows by $heads heads',
  ({ heads, tokens, frames, seconds, rows, begins }) => {
    test('are those of the reference', () => {
      const data = new Float32Array(heads * tokens * frames)
      for (let head = 0; head < heads; head++)
        for (let token = 0; token < tokens; token++)
          for (let frame = 0; frame < frames; frame++) {
            const centre = ((token + 0.5) * frames) / tokens + 3 * Math.sin(token * 2.1 + head)
            data[(head * tokens + token) * frames + frame] =
              Math.exp(-(((frame - centre) / (4 + head)) ** 2)) + 0.02 * Math.sin(frame * 1.7 + token) ** 2
          }
      const times = tokenTimes({ data, dims: [heads, tokens, frames] }, seconds, 7, rows)
      const worst = times.map(({ start }, i) => Math.abs(start - begins[i]!))
      expect(Math.max(...worst)).toBeLessThan(1e-6)
      times.slice(1).forEach(({ start }, i) => {
        expect(times[i]!.end).toBe(start)
      })
    })
  },
)
