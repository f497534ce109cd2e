import { describe, expect, test } from 'vitest'
import { speedometer } from './progress.ts'

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

// By how much the estimate is wrong, against what was left in truth, while more than `least` seconds are left: a hiccup outweighs less.
function errors(told: { at: number; done: number }[], from: number, to = 1, least = 10, whole = total) {
  const meter = speedometer({ done: 0, at: 0 })
  const end = told[told.length - 1]!.at
  return told.flatMap(({ at, done }) => {
    meter.reached(done, at)
    const left = (whole - done) / (meter.speed(at) ?? 0)
    const truth = end - at
    return done / whole >= from && done / whole < to && truth > least ? [Math.abs(left - truth) / truth] : []
  })
}

// A decoding of twelve hours as it was on a busy machine with two cores: second of the clock and of media, every quarter of an hour.
const recorded = [
  '1.4,300 3.5,1202 5.4,2103 7.5,3005 9.4,3907 11.4,4808 14.0,5710 17.4,6612',
  '20.9,7514 25.8,8416 32.4,9317 35.6,10218 38.2,11120 42.7,12022 46.2,12923 50.2,13825',
  '52.4,14726 55.8,15628 58.8,16529 62.0,17430 64.4,18332 67.5,19233 70.5,20134 74.3,21036',
  '77.3,21937 82.1,22838 86.3,23740 90.4,24641 94.0,25542 98.4,26443 102.2,27345 105.5,28246',
  '108.4,29147 110.2,30049 112.3,30950 114.7,31852 117.5,32753 119.8,33655 121.5,34556 124.0,35458',
  '127.2,36359 130.5,37261 133.9,38162 137.0,39064 141.8,39965 146.1,40867 150.0,41768 155.0,42670',
  '156.2,42970',
]
  .flatMap(line => line.split(' '))
  .map(pair => pair.split(',').map(Number))
  .map(([at = 0, done = 0]) => ({ at, done }))

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

  test('is so three times of four where others take the machine and give it back, as in a recorded decoding', () => {
    const wrong = errors(recorded, 0.1, 1, 10, 12 * 3600)
    expect(wrong.filter(error => error < 0.25).length / wrong.length).toBeGreaterThanOrEqual(0.75)
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
  ])(
    'is so again when a speed that $what after a quarter has been seen for as long as it looks back',
    ({ before, after }) => {
      const told = progressAt((part, second) => (part < 0.25 ? before : after) * uneven(second))
      const changed = told.find(({ done }) => done >= total / 4)?.at ?? 0
      const seen = told.find(({ at }) => at >= changed / 0.5)?.done ?? 0
      const wrong = errors(told, seen / total)
      expect(wrong.length).toBeGreaterThan(10)
      expect(Math.max(...wrong)).toBeLessThan(0.25)
    },
  )

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
    expect(meter.speed(60)).toBeCloseTo(2)
  })
})
