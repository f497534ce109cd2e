import { expect, test } from 'vitest'
import type { Frame } from '../../src/core/video.ts'
import { dot, plainFrame, withBox } from '../../tests/contracts/pictures.ts'
import { colourQuery } from './colour-layout.ts'
import { pictureVector } from './picture-vector.ts'

const best = (query: string, frames: Frame[]) => nearest(query, frames.map(pictureVector))

const nearest = (query: string, vectors: Float32Array[]) => {
  const wanted = colourQuery(query)
  const scores = vectors.map(vector => (wanted ? dot(vector, wanted) : 0))
  return scores.indexOf(Math.max(...scores))
}

const white = plainFrame(250, 250, 250)
const samples = {
  red: [200, 30, 30],
  orange: [240, 140, 20],
  yellow: [240, 220, 40],
  green: [40, 150, 60],
  blue: [30, 60, 190],
  purple: [130, 40, 170],
  pink: [250, 150, 190],
  brown: [110, 70, 30],
  black: [10, 10, 10],
  white: [250, 250, 250],
  grey: [128, 128, 128],
} as const

test('each colour word finds the frame of its colour', () => {
  const vectors = Object.values(samples).map(([red, green, blue]) => pictureVector(plainFrame(red, green, blue)))
  for (const [i, name] of Object.keys(samples).entries())
    expect([name, nearest(`a ${name} slide`, vectors)]).toEqual([name, i])
})

test('the shade does not matter: dark and pale blue are both blue', () => {
  const frames = [plainFrame(120, 120, 120), plainFrame(20, 30, 90), plainFrame(40, 130, 50)]
  expect(best('blue', frames)).toBe(1)
  expect(best('blue', [frames[0]!, plainFrame(140, 180, 250), frames[2]!])).toBe(1)
})

test('a place next to a colour tells where it must be', () => {
  const left = withBox(white, { x: 0, y: 0.2, width: 0.4, height: 0.6 }, [200, 30, 30])
  const right = withBox(white, { x: 0.6, y: 0.2, width: 0.4, height: 0.6 }, [200, 30, 30])
  expect(best('a red box on the left', [right, left])).toBe(1)
  expect(best('a red box on the right', [right, left])).toBe(0)
})

test('two colours with a place each find the frame that has both in their places', () => {
  const half = { x: 0, y: 0.5, width: 1, height: 0.5 }
  const meadow = withBox(plainFrame(80, 140, 240), half, [40, 150, 60])
  const upsideDown = withBox(plainFrame(40, 150, 60), half, [80, 140, 240])
  expect(best('blue at the top and green at the bottom', [upsideDown, meadow])).toBe(1)
})

test('dark and bright are found by light, not by colour', () => {
  const frames = [plainFrame(120, 120, 130), plainFrame(15, 20, 30), plainFrame(240, 240, 200)]
  expect(best('a dark scene', frames)).toBe(1)
  expect(best('a bright room', frames)).toBe(2)
})

test('a query without a colour cannot be expressed, and a name is no colour', () => {
  expect(colourQuery('who speaks after the break')).toBeUndefined()
  expect(colourQuery('something on the left')).toBeUndefined()
  expect(colourQuery('when does Mr Brown come in')).toBeUndefined()
  expect(colourQuery('speech at the White House')).toBeUndefined()
  expect(colourQuery('Red car')).toBeDefined()
})
