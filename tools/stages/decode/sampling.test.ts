import { expect, test } from 'vitest'
import { chooseSampling, defaultSampling, type KeptStill, Sampler } from './sampling.ts'

const size = 64 * 36

// Feeds a made-up picture at 10 frames a second with a candidate every half second.
async function sample(
  seconds: number,
  picture: (time: number) => Uint8Array,
  boundaries: number[] = [],
  { settings = defaultSampling, isCandidate = (frame: number) => frame % 5 === 0 } = {},
): Promise<KeptStill[]> {
  const kept: KeptStill[] = []
  const sampler = new Sampler(settings, async still => {
    kept.push(still)
  })
  const told = new Set<number>()
  for (let frame = 0; frame < seconds * 10; frame++) {
    const time = frame / 10
    sampler.small({
      time,
      width: 64,
      height: 36,
      y: picture(time),
      u: new Uint8Array(size / 4),
      v: new Uint8Array(size / 4),
    })
    for (const boundary of boundaries) {
      if (boundary > time - 1 || told.has(boundary)) continue
      told.add(boundary)
      sampler.boundary({ time: boundary, kind: 'cut', score: 1 })
    }
    if (isCandidate(frame))
      await sampler.candidate({ time, width: 64, height: 36, jpeg: new Uint8Array([frame]) }, time - 2)
  }
  for (const boundary of boundaries)
    if (!told.has(boundary)) sampler.boundary({ time: boundary, kind: 'cut', score: 1 })
  await sampler.finish()
  return kept
}

const flat = (value: number) => new Uint8Array(size).fill(value)

const gapsOf = (kept: readonly KeptStill[], end: number) =>
  [...kept.map(still => still.time), end].map((time, at, all) => time - (all[at - 1] ?? 0))

test('a still picture costs one frame in five seconds, in three at level thorough', async () => {
  const kept = await sample(600, () => flat(90))
  expect(kept).toHaveLength(120)
  expect(Math.max(...gapsOf(kept, 600))).toBe(5)
  const thorough = chooseSampling(600, 'thorough')
  expect(Math.max(...gapsOf(await sample(60, () => flat(90), [], { settings: thorough }), 60))).toBe(3)
})

// Somebody who breathes moves a few pixels all the time; who walks through the picture moves many.
const room = (time: number) => {
  const y = flat(120)
  y.fill(120 + 9 * (Math.floor(time * 2) % 2), 600, 604)
  const walks = time % 60 >= 43 && time % 60 < 60
  return walks ? y.fill(30 + Math.floor(time * 4) * 20, 0, 900) : y
}

test('a small movement that never stops takes no frame from a large one that comes later', async () => {
  const kept = await sample(139, room)
  expect(Math.max(...gapsOf(kept, 139))).toBeLessThanOrEqual(1.5)
  for (let second = 43; second < 59; second++)
    expect(kept.filter(({ time, reason }) => reason === 'change' && Math.abs(time - second) <= 1).length).not.toBe(0)
})

test('however little of the budget is left, and however long the video, no gap is over five seconds', async () => {
  const week = chooseSampling(7 * 86_400, 'balanced')
  const kept = await sample(300, time => flat(Math.floor(time * 10) % 250), [], { settings: week })
  expect(Math.max(...gapsOf(kept, 300))).toBeLessThanOrEqual(5)
})

test('where candidates come at odd times the one before a long pause is kept', async () => {
  const odd = [0, 20, 45, 70, 74, 112]
  const kept = await sample(12, () => flat(90), [], { isCandidate: frame => odd.includes(frame) })
  expect(kept.map(still => still.time)).toEqual([0, 4.5, 7.4])
})

test('what changes too slowly to be seen between two stills is seen over several', async () => {
  const kept = await sample(100, time => flat(90 + Math.floor(time / 10)))
  expect(kept.filter(({ reason }) => reason === 'change').map(({ time }) => time)).toEqual([30, 60, 90])
})

test('each shot gives a frame of its own, and none from before its cut', async () => {
  const kept = await sample(12, time => flat(time < 3.2 ? 40 : time < 7.7 ? 120 : 200), [3.2, 7.7])
  const shots = kept.filter(still => still.reason === 'shot').map(still => still.time)
  expect(shots).toEqual([0, 3.5, 8])
})

test('a line of text that appears on a slide gives a frame', async () => {
  const slide = (time: number) => {
    const y = flat(230)
    if (time >= 6) y.fill(190, 20 * 64 + 10, 20 * 64 + 30)
    return y
  }
  const kept = await sample(15, slide)
  expect(kept.map(still => [still.time, still.reason])).toEqual([
    [0, 'shot'],
    [5, 'interval'],
    [6, 'text'],
    [11, 'interval'],
  ])
})

test('a cluster of cuts does not take the frames of the minutes after it', async () => {
  const cuts = Array.from({ length: 100 }, (_, i) => 0.5 + i * 0.5)
  const kept = await sample(
    180,
    time => flat(time < 50 ? (Math.floor(time * 2) * 37) % 250 : time < 120 ? 20 : 220),
    cuts,
  )
  expect(kept.filter(still => still.time < 60).length).toBeLessThanOrEqual(2 * defaultSampling.perMinute)
  expect(kept.some(still => still.time >= 120 && still.time <= 121)).toBe(true)
})

test('36 shots in 6 % of the running time all have their still, and so has the rest', async () => {
  const cuts = Array.from({ length: 36 }, (_, i) => 300 + i)
  const shade = (time: number) => (time < 300 ? 60 : time >= 336 ? 200 : (Math.floor(time) * 41) % 250)
  const kept = await sample(600, time => flat(shade(time)), cuts)
  const shots = kept.filter(still => still.reason === 'shot').map(still => Math.floor(still.time))
  expect(shots).toEqual([0, ...cuts])
  expect(kept.filter(still => still.time < 300).length).toBeGreaterThanOrEqual(14)
  expect(kept.filter(still => still.time > 336).length).toBeGreaterThanOrEqual(12)
})

test('a minute of motion leaves the budget for the cuts that follow', async () => {
  const moving = (time: number) => flat(Math.floor(time * 10) % 250)
  const cuts = [60, 60.8, 61.6, 62.4, 63.2]
  const kept = await sample(66, moving, cuts)
  expect(kept.filter(still => still.time < 60).length).toBeLessThanOrEqual(75)
  for (const [at, cut] of cuts.entries())
    expect(kept.some(still => still.time >= cut && still.time < (cuts[at + 1] ?? 66))).toBe(true)
})

test('a shot that ends before a stable frame of it came is shown by what there was', async () => {
  // Candidates come at 4.0 and 4.5: the first lies right after the cut, the second belongs to the next shot.
  const kept = await sample(8, time => flat(time < 3.95 ? 40 : time < 4.4 ? 130 : 220), [3.95, 4.4])
  expect(kept.map(still => still.time)).toEqual([0, 4, 5])
})
