import { describe, expect, test } from 'vitest'
import { shotFinders } from '../../models/shots/index.ts'
import type { Host } from '../../src/core/backend.ts'
import type { Boundary, SmallFrame } from '../../src/core/services.ts'
import { draw, film, landscape } from './small-frames.ts'

// What every shot finder promises, whatever it looks at.
const host = {} as Host
const looking = shotFinders.names.filter(name => name !== 'fixed')

async function boundaries(name: string, frames: SmallFrame[]): Promise<Boundary[]> {
  const finder = await shotFinders.open(name, {}, host)
  return [...frames.flatMap(frame => finder.push(frame)), ...finder.finish()]
}

const twoShots = (rate: number | number[]) => film(24, rate, time => landscape(time < 12 ? 1 : 2))

describe.each(shotFinders.names)('shots/%s', name => {
  test('no frames, or one, make no boundary', async () => {
    expect(await boundaries(name, [])).toEqual([])
    expect(await boundaries(name, [draw(landscape(1), 0)])).toEqual([])
  })

  test.each([1, 10, 23.976, 60])(
    'at %d frames a second, boundaries are times of frames, in order, none of them the first',
    async rate => {
      const frames = twoShots(rate)
      const times = (await boundaries(name, frames)).map(boundary => boundary.time)
      expect(times.length).toBeGreaterThan(0)
      expect(times.every(time => frames.some(frame => frame.time === time))).toBe(true)
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
      expect(times[0]).toBeGreaterThan(0)
    },
  )

  test('the same frames make the same boundaries, also while another finder works', async () => {
    const frames = twoShots(10)
    const [one, other] = [await shotFinders.open(name, {}, host), await shotFinders.open(name, {}, host)]
    const found: Boundary[][] = [[], []]
    for (const [i, frame] of frames.entries()) {
      found[0]!.push(...one.push(frame))
      if (i % 2 === 0) found[1]!.push(...other.push(frame))
    }
    found[0]!.push(...one.finish())
    expect(found[0]).toEqual(await boundaries(name, frames))
  })

  test('each boundary has a kind and a finite score', async () => {
    for (const { kind, score } of await boundaries(name, twoShots(25))) {
      expect(['cut', 'gradual']).toContain(kind)
      expect(Number.isFinite(score)).toBe(true)
    }
  })

  test('a setting out of its range is refused by name', async () => {
    await expect(shotFinders.open(name, { threshold: -1, sensitivity: -1, seconds: -1 }, host)).rejects.toThrow(
      /threshold|sensitivity|seconds/,
    )
  })
})

describe.each(looking)('shots/%s looks at the picture', name => {
  test.each([1, 10, 25, 60])('at %d frames a second, a cut is the first frame of the new shot', async rate => {
    const found = await boundaries(name, twoShots(rate))
    expect(found.map(boundary => [boundary.time, boundary.kind])).toEqual([[12, 'cut']])
  })

  test('with frames at uneven times as well', async () => {
    const times = [0, 0.5, 0.54, 0.58, 3, 3.04, 3.5, 7, 9, 9.5, 11, 11.96, 12.3, 12.34, 12.4, 13, 16, 16.04, 17, 21]
    expect((await boundaries(name, twoShots(times))).map(boundary => boundary.time)).toEqual([12.3])
  })

  test('a picture that stands still has no boundary', async () => {
    expect(
      await boundaries(
        name,
        film(20, 10, () => landscape(3)),
      ),
    ).toEqual([])
  })
})
