import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import type { Host } from '../../src/core/backend.ts'
import type { SmallFrame } from '../../src/core/services.ts'
import { draw, film, landscape, mixed, moved, type Picture, plain, slide } from '../../tests/contracts/small-frames.ts'
import frameDifference from './frame-difference.ts'

async function find(frames: SmallFrame[], settings = {}): Promise<string[]> {
  const finder = await frameDifference.open(frameDifference.settings.parse(settings), {} as Host)
  const found = [...frames.flatMap(frame => finder.push(frame)), ...finder.finish()]
  return found.map(({ time, kind }) => `${kind} ${time.toFixed(2)}`)
}

// From `a` to `b` between two moments; `how` makes the picture on the way.
function transition(a: Picture, b: Picture, start: number, end: number, how = mixed) {
  return (time: number) => (time < start ? a : time >= end ? b : how(a, b, (time - start) / (end - start)))
}

const wipe =
  (a: Picture, b: Picture, share: number): Picture =>
  (x, y) =>
    x < share * 64 ? b(x, y) : a(x, y)
const throughBlack = (a: Picture, b: Picture, share: number): Picture =>
  share < 0.5 ? mixed(a, plain(16), share * 2) : mixed(plain(16), b, share * 2 - 1)

describe('frame differences', () => {
  test.each([10, 25, 30, 60])('at %d frames a second, the next slide of the same template is a cut', async rate => {
    expect(await find(film(8, rate, time => slide(time < 4 ? 1 : 2)))).toEqual(['cut 4.00'])
  })

  test('at one frame a second too', async () => {
    expect(await find(film(60, 1, time => slide(time < 31 ? 1 : 2)))).toEqual(['cut 31.00'])
  })

  test('a cut in the last second is still a shot', async () => {
    expect(await find(film(6, 25, time => landscape(time < 5.8 ? 1 : 2)))).toEqual(['cut 5.80'])
  })

  test('a cut right after the start is found', async () => {
    expect(await find(film(6, 25, time => landscape(time < 0.2 ? 1 : 2)))).toEqual(['cut 0.20'])
  })

  test('short shots in a row are all found', async () => {
    expect(await find(film(4, 25, time => landscape(Math.min(4, Math.floor(time / 0.6)))))).toEqual([
      'cut 0.60',
      'cut 1.20',
      'cut 1.80',
      'cut 2.40',
    ])
  })

  test('a photographer’s flash is no cut', async () => {
    const flash = (time: number) => time >= 2 && time < 2.08
    const picture = (time: number): Picture => (flash(time) ? mixed(landscape(1), plain(235), 0.7) : landscape(1))
    expect(await find(film(5, 25, picture))).toEqual([])
  })

  test('a slow pan is no boundary', async () => {
    expect(await find(film(8, 25, time => moved(landscape(1), time * 6)))).toEqual([])
  })

  test('drawings that move six times a second make no shots', async () => {
    const hop = (time: number) => Math.floor(time * 6)
    const figure =
      (time: number): Picture =>
      (x, y) => {
        const away = Math.hypot(x - 30 - 4 * Math.sin(hop(time)), y - 20 - 3 * Math.cos(hop(time) * 1.7))
        return away < 7 ? 40 : landscape(5)(x, y)
      }
    expect(await find(film(8, 24, figure))).toEqual([])
    expect(await find(film(8, 24, time => moved(landscape(6), hop(time) * 1.5)))).toEqual([])
  })

  test('a cut between two pans is found', async () => {
    const picture = (time: number) => moved(landscape(time < 3 ? 1 : 2), time * 12)
    expect(await find(film(6, 25, picture))).toEqual(['cut 3.00'])
  })

  test('a whip of the camera over one scene is no boundary', async () => {
    const sweep = (time: number) => Math.min(1, Math.max(0, (time - 3) / 0.35)) * 160
    expect(await find(film(6, 30, time => moved(landscape(4), sweep(time))))).toEqual([])
  })

  test('a running clock in a corner makes no shots', async () => {
    const clock = (time: number): Picture => {
      const digit = Math.floor(time * 25)
      return (x, y) => (x > 52 && y > 31 ? 120 + ((digit * 37 + Math.floor(x) * 11) % 90) : 90)
    }
    expect(await find(film(12, 25, clock))).toEqual([])
  })

  test.each([
    ['dissolve', mixed],
    ['wipe', wipe],
    ['fade through black', throughBlack],
  ])('a %s is one gradual boundary inside it', async (_, how) => {
    for (const rate of [15, 25, 60]) {
      const found = await find(film(9, rate, transition(landscape(1), landscape(2), 4, 5, how)))
      expect(found).toHaveLength(1)
      expect(found[0]).toMatch(/^gradual (4\.\d|5\.0)/)
    }
  })

  test('a slow dissolve between two slides is found', async () => {
    const found = await find(film(9, 25, transition(slide(1), slide(2), 4, 4.8)))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^gradual 4\./)
  })

  test('a video that fades in from black and out into it is one shot', async () => {
    const picture = (time: number) =>
      mixed(plain(16), landscape(1), Math.min(1, Math.max(0, time - 1, 0), Math.max(0, 8 - time)))
    expect(await find(film(10, 25, picture))).toEqual([])
  })

  test('gradual transitions can be left out, and the threshold moved', async () => {
    const dissolve = film(9, 25, transition(landscape(1), landscape(2), 4, 5))
    expect(await find(dissolve, { gradual: false })).toEqual([])
    const faint = film(8, 25, time => (time < 4 ? landscape(1) : mixed(landscape(1), landscape(2), 0.07)))
    expect(await find(faint, { sensitivity: 4 })).toEqual([])
    expect(await find(faint, { sensitivity: 0.25 })).toEqual(['cut 4.00'])
  })

  test('boundaries come out in order and within two seconds', async () => {
    const picture = (time: number) =>
      time < 6 ? transition(landscape(1), landscape(2), 3, 4.4)(time) : landscape(time < 7 ? 3 : 4)
    const finder = await frameDifference.open(frameDifference.settings.parse({}), {} as Host)
    const found: { time: number; delay: number }[] = []
    for (const frame of film(12, 25, picture))
      for (const { time } of finder.push(frame)) found.push({ time, delay: frame.time - time })
    expect(found).toHaveLength(3)
    expect(found.map(one => one.time)).toEqual(found.map(one => one.time).sort((a, b) => a - b))
    expect(Math.max(...found.map(one => one.delay))).toBeLessThan(2)
  })

  test('twenty minutes of frames take no more memory than one', async () => {
    setFlagsFromString('--expose-gc')
    const gc: () => void = runInNewContext('gc')
    const finder = await frameDifference.open(frameDifference.settings.parse({}), {} as Host)
    const pictures = Array.from({ length: 50 }, (_, i) => draw(landscape(i), 0))
    const push = (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        const picture = pictures[Math.floor(i / 40) % 50]!
        finder.push({ ...picture, time: i / 10, y: picture.y.slice(), u: picture.u.slice(), v: picture.v.slice() })
      }
    }
    push(0, 600)
    gc()
    const early = process.memoryUsage().arrayBuffers
    push(600, 12_000)
    // What was collected is given back a moment later, by another thread.
    const grown = () => {
      gc()
      return process.memoryUsage().arrayBuffers - early
    }
    await vi.waitFor(() => expect(grown()).toBeLessThan(5e6), 5000)
  })
})
