import { describe, expect, test } from 'vitest'
import { speedometer } from './speed.ts'

const total = 3600 // seconds of media

// Told twice a second, as the decoding does; `speed` is what it decodes at a point of the whole (0 to 1), in media seconds a second.
function progressAt(speed: (part: number, second: number) => number) {
  const told: { at: number; done: number }[] = []
  let done = 0
  for (let at = 0; done < total; at += 0.5) {
    told.push({ at, done })
    done += speed(done / total, at) / 2
  }
  return [...told, { at: told.length / 2, done: total }]
}

// By how much the estimate is wrong, against what was left in truth, while more than ten seconds are left: a hiccup outweighs less.
function errors(told: { at: number; done: number }[], from: number, to = 1) {
  const meter = speedometer({ done: 0, at: 0 })
  const end = told[told.length - 1].at
  return told.flatMap(({ at, done }) => {
    meter.reached(done, at)
    const left = (total - done) / (meter.speed(at) ?? 0)
    const truth = end - at
    return done / total >= from && done / total < to && truth > 10 ? [Math.abs(left - truth) / truth] : []
  })
}

const uneven = (second: number) => 1 + 0.3 * Math.sin(second / 1.7) + 0.2 * Math.sin(second * 2.3)

describe('the time left', () => {
  test('is right within a quarter from the first tenth on where the speed is the same all the way', () => {
    expect(
      Math.max(
        ...errors(
          progressAt((_, second) => 25 * uneven(second)),
          0.1,
        ),
      ),
    ).toBeLessThan(0.25)
    expect(
      Math.max(
        ...errors(
          progressAt(() => 25),
          0.1,
        ),
      ),
    ).toBeLessThan(0.05)
  })

  test('is so after a slow start, as with the sound decoded first beside the picture', () => {
    expect(
      Math.max(
        ...errors(
          progressAt((part, second) => (part < 0.05 ? 12 : 25) * uneven(second)),
          0.1,
        ),
      ),
    ).toBeLessThan(0.25)
  })

  test.each([
    { what: 'halves', before: 25, after: 12.5 },
    { what: 'doubles', before: 12.5, after: 25 },
  ])('is so again when a speed that $what half way has been seen for as long as it looks back', ({ before, after }) => {
    const told = progressAt((part, second) => (part < 0.5 ? before : after) * uneven(second))
    const changed = told.find(({ done }) => done >= total / 2)?.at ?? 0
    const seen = told.find(({ at }) => at >= changed / 0.75)?.done ?? 0
    expect(Math.max(...errors(told, seen / total))).toBeLessThan(0.25)
  })

  test('follows a speed that falls slowly by a fifth', () => {
    const told = progressAt((part, second) => 25 * (1 - part / 5) * uneven(second))
    expect(Math.max(...errors(told, 0.1))).toBeLessThan(0.25)
  })

  test('of work that began in the middle counts only what was done since, and nothing is said of nothing', () => {
    const meter = speedometer({ done: 1800, at: 10 })
    expect(meter.speed(20)).toBeUndefined()
    meter.reached(1900, 20)
    expect(meter.speed(20)).toBe(10)
  })

  test('grows while nothing comes', () => {
    const meter = speedometer({ done: 0, at: 0 })
    for (let at = 1; at <= 20; at++) meter.reached(at * 10, at)
    expect(meter.speed(20)).toBeCloseTo(10)
    expect(meter.speed(60)).toBeLessThan(2)
  })
})
