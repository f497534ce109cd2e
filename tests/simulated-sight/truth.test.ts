import { describe, expect, test } from 'vitest'
import { hairColours, sceneColours } from '../../src/media/render/colours.ts'
import type { PaintedFigure, Scene, Script } from '../../src/media/render/scene.ts'
import { colourName, hairName } from './name-colour.ts'
import { namings, truthAt } from './truth.ts'

const diane: PaintedFigure = {
  who: 'Diane Miller',
  hair: hairColours.blond,
  top: sceneColours.red,
  trousers: sceneColours.black,
  hat: sceneColours.yellow,
  holds: 'umbrella',
  doing: 'stands',
  size: 0.5,
  path: [
    { x: 0.8, y: 0.9 },
    { x: 0.8, y: 0.9 },
  ],
}
const { hat: _, holds: __, ...bare } = diane
const mark: PaintedFigure = {
  ...bare,
  who: 'Mark Hill',
  top: sceneColours.blue,
  doing: 'walks',
  path: [
    { x: -0.5, y: 0.9 },
    { x: 0.5, y: 0.9 },
  ],
}
const scene = (place: 'beach' | 'forest', rest: Partial<Scene>): Scene => ({
  frames: 50,
  opens: { kind: 'cut' },
  background: { kind: 'place', place, seed: 1 },
  texts: [],
  things: [],
  ...rest,
})
const script: Script = {
  title: 'two places',
  width: 160,
  height: 90,
  fps: 25,
  scenes: [
    scene('beach', {
      figures: [diane, mark],
      texts: [
        { text: 'Mark Hill, baker', size: 0.08, at: { x: 0.1, y: 0.9 }, colour: '#ffffff', from: 40 },
        { text: 'late', size: 0.08, at: { x: 1, y: 0.1 }, slide: { x: -0.5, y: 0 }, colour: '#ffffff' },
      ],
    }),
    scene('forest', {
      figures: [{ ...diane, from: 10, to: 20 }],
      things: [
        {
          shape: 'circle',
          colour: '#f47c08',
          size: 0.2,
          path: [
            { x: 0.5, y: 0.5 },
            { x: 0.5, y: 0.5 },
          ],
        },
      ],
    }),
  ],
  cues: [
    { kind: 'speech', at: 5, text: 'This is Diane Miller.', voice: 'slt' },
    { kind: 'speech', at: 80, text: 'Diane Miller has gone.', voice: 'slt' },
  ],
}

describe('the truth about a moment', () => {
  test('names what is seen in words, from left to right, and where it is', () => {
    const { place, figures, scene } = truthAt(script, 1.99)
    expect({ place, scene, who: figures.map(figure => figure.who) }).toEqual({
      place: 'beach',
      scene: 0,
      who: ['Mark Hill', 'Diane Miller'],
    })
    const { box, ...seen } = figures[1]!
    expect(seen).toEqual({
      ...{ who: 'Diane Miller', hair: 'blond', top: 'red', trousers: 'black', hat: 'yellow' },
      ...{ holds: 'umbrella', doing: 'stands' },
    })
    expect(box.x).toBeLessThan(0.8)
    expect(box.x + box.width).toBeGreaterThan(0.8)
    expect(box.y + box.height).toBeCloseTo(0.9, 2)
    expect(box.y).toBeLessThan(0.4)
  })

  test('who has not come onto the picture yet is not seen', () => {
    expect(truthAt(script, 0).figures.map(figure => figure.who)).toEqual(['Diane Miller'])
  })

  test('a figure, a thing and a text are there only while they are shown', () => {
    expect(truthAt(script, 2.36).figures.length).toBe(0)
    expect(truthAt(script, 2.4).figures.length).toBe(1)
    expect(truthAt(script, 2.8).figures.length).toBe(0)
    expect(truthAt(script, 2.8).things).toMatchObject([{ shape: 'circle', colour: 'orange' }])
    expect(truthAt(script, 0).texts).toEqual([])
    expect(truthAt(script, 1).texts).toEqual(['late'])
    expect(truthAt(script, 1.8).texts).toEqual(['late', 'Mark Hill, baker'])
  })

  test('a card names whom it names while it is shown, and nobody else', () => {
    const named = (time: number) => truthAt(script, time).figures.map(figure => figure.named)
    expect(named(1.5)).toEqual([undefined, undefined])
    expect(named(1.8)).toEqual(['Mark Hill, baker', undefined])
  })

  test('a moment before the first frame or after the last is that frame', () => {
    expect(truthAt(script, -1)).toEqual(truthAt(script, 0))
    expect(truthAt(script, 99)).toEqual(truthAt(script, 3.99))
  })

  test('names are given where they are said or written while their bearer is seen', () => {
    expect(namings(script)).toEqual([
      { who: 'Diane Miller', by: 'speech', words: 'This is Diane Miller.', time: 0.2 },
      { who: 'Mark Hill', by: 'text', words: 'Mark Hill, baker', time: 1.6 },
    ])
  })
})

test('every colour of the table has its own name, and one near it the same', () => {
  for (const [name, colour] of Object.entries(sceneColours)) expect(colourName(colour)).toBe(name)
  for (const [name, colour] of Object.entries(hairColours)) expect(hairName(colour)).toBe(name)
  expect(colourName('#e01010')).toBe('red')
})
