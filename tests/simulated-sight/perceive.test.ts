import { describe, expect, test } from 'vitest'
import { type Script, scenePlaces } from '../../src/media/render/scene.ts'
import { crowded, drawn, drawnScene } from '../support/drawn-script.ts'
import { seedErrors } from './errors.ts'
import { perceive } from './perceive.ts'
import type { PerceivedFrame } from './seen.ts'
import { SightSettings } from './settings.ts'
import { truthAt } from './truth.ts'

function see(script: Script, shown: PerceivedFrame[], settings: Partial<SightSettings> = {}, video = 'drawn.mp4') {
  const { smallest, inventions, ...rest } = SightSettings.parse({ truth: 'here', ...settings })
  return perceive(shown, { script, smallest, inventions, errors: seedErrors({ smallest, inventions, ...rest }, video) })
}

const frame = (time: number, cells = 1): PerceivedFrame => ({ time, cells })
const scenes = 90
const crowd = crowded(scenes)
const middles = Array.from({ length: scenes }, (_, nth) => frame(nth * 10 + 5))

const parts = ['top', 'trousers', 'hair', 'hat', 'holds', 'does'] as const

// Each fact of the middle frames: what it truly is, and what was seen of it.
function facts(settings: Partial<SightSettings>) {
  const seen = see(crowd, middles, settings)
  return middles.flatMap(({ time }, nth) => {
    const truth = truthAt(crowd, time)
    const scene = seen.find(one => one.scene === nth)
    const people = truth.figures.flatMap(figure => {
      const missing = { holds: [], does: [], frames: [] }
      const person = scene?.people.find(one => one.who === figure.who) ?? missing
      const worn = { ...person, holds: person.holds[0]?.what, does: person.does[0]?.what }
      return parts.map(part => ({
        part,
        right: part === 'does' ? figure.doing : figure[part],
        seen: (worn as Record<string, unknown>)[part],
      }))
    })
    const texts = truth.texts.map(text => ({
      part: 'text' as const,
      right: text,
      seen: scene?.texts.find(one => one.text === text)?.text,
    }))
    return [{ part: 'place' as const, right: truth.place, seen: scene?.place }, ...people, ...texts]
  })
}

// Four standard errors; all the facts of a person may be missed at once, so they count for a third of their number.
function within(share: number, rate: number, count: number, together = 3): void {
  const margin = 4 * Math.sqrt((rate * (1 - rate)) / (count / together))
  expect(Math.abs(share - rate)).toBeLessThan(margin)
}

describe('errors come at the rates that are set', () => {
  test.each([0.1, 0.3, 0.6])('a share of %d is missed, of all facts and of each kind', misses => {
    const all = facts({ misses })
    const shareOf = (some: typeof all) => some.filter(fact => fact.seen === undefined).length / some.length
    within(shareOf(all), misses, all.length)
    for (const part of ['place', ...parts, 'text'] as const) {
      const own = all.filter(fact => fact.part === part)
      within(shareOf(own), misses, own.length, 1)
    }
    expect(all.every(fact => fact.seen === undefined || fact.seen === fact.right)).toBe(true)
  })

  test.each([0.1, 0.3, 0.6])('a share of %d is taken for something else', confusions => {
    const all = facts({ confusions }).filter(fact => fact.part !== 'text')
    const shareOf = (some: typeof all) => some.filter(fact => fact.seen !== fact.right).length / some.length
    within(shareOf(all), confusions, all.length)
    for (const part of ['place', ...parts] as const) {
      const own = all.filter(fact => fact.part === part)
      within(shareOf(own), confusions, own.length, 1)
    }
    expect(all.every(fact => fact.seen !== undefined)).toBe(true)
  })

  test.each([0.1, 0.5])('a share of %d of the scenes gets a detail that is not there', inventions => {
    const seen = see(
      drawn(Array.from({ length: 200 }, () => drawnScene({ place: 'kitchen', people: [{ who: 'Ann', top: 'red' }] }))),
      Array.from({ length: 200 }, (_, nth) => frame(nth * 10 + 5)),
      { inventions },
    )
    const made = seen.filter(({ people, invented }) => invented || people.some(one => one.hat || one.holds.length > 0))
    within(made.length / 200, inventions, 200, 1)
  })

  test('without errors all is seen as it is, and at a rate of 1 nothing', () => {
    expect(facts({}).every(fact => fact.seen === fact.right)).toBe(true)
    expect(facts({ misses: 1 }).every(fact => fact.seen === undefined)).toBe(true)
  })
})

describe('the same look errs in the same way', () => {
  const wrong = (settings: Partial<SightSettings>) =>
    facts({ misses: 0.2, confusions: 0.2, ...settings }).map(fact => fact.seen ?? null)

  test('for the same seed, and in another way for another seed', () => {
    expect(wrong({})).toEqual(wrong({}))
    expect(wrong({})).not.toEqual(wrong({ seed: 2 }))
  })

  test('whatever else is shown with it', () => {
    const [alone] = see(crowd, [frame(5)], { misses: 0.4, confusions: 0.4 })
    const [among] = see(crowd, [frame(5), frame(25), frame(35)], { misses: 0.4, confusions: 0.4 })
    expect(among).toEqual(alone)
  })

  test('while a look at another moment of the scene may see what this one missed', () => {
    const places = (second: number) =>
      see(
        crowd,
        middles.map(({ time }) => frame(time - 5 + second)),
        { misses: 0.5 },
      ).map(scene => scene.place)
    expect(places(5)).toEqual(places(5.5))
    const differ = places(1).filter((place, nth) => (place === undefined) !== (places(7)[nth] === undefined))
    expect(differ.length).toBeGreaterThan(25)
  })

  test('what errs at a rate errs at every greater one too', () => {
    const missedAt = (misses: number) => facts({ misses }).flatMap((fact, at) => (fact.seen === undefined ? [at] : []))
    const many = new Set(missedAt(0.4))
    expect(missedAt(0.1).every(at => many.has(at))).toBe(true)
  })
})

describe('it sees what its frames show and no more', () => {
  const passing = drawn([
    drawnScene({ place: 'street', people: [{ who: 'Ann', top: 'red', from: 100, to: 150 }] }), // from 4 s to 6 s
  ])

  test('nobody who was there only between two frames', () => {
    expect(see(passing, [frame(1), frame(9)])[0]?.people).toEqual([])
    expect(see(passing, [frame(1), frame(5)])[0]?.people).toMatchObject([{ top: 'red', frames: [1] }])
  })

  test('less on a sheet of frames than in one: the person is seen and the hair is not', () => {
    const script = drawn([
      drawnScene({ place: 'beach', texts: ['OPEN'], people: [{ who: 'Ann', top: 'red', hat: 'green' }] }),
    ])
    expect(see(script, [frame(1)])).toMatchObject([
      { people: [{ top: 'red', hat: 'green', hair: 'brown' }], texts: [{ text: 'OPEN' }] },
    ])
    const [small] = see(script, [frame(1, 16)])
    expect(small?.people).toMatchObject([{ does: [{ what: 'stands' }] }])
    expect(small?.people[0]?.hair).toBeUndefined()
    expect(small?.people[0]?.hat).toBeUndefined()
    expect(small?.texts).toEqual([])
    expect(see(script, [frame(1, 400)])[0]?.people).toEqual([])
  })

  test('as small as the setting says', () => {
    const script = drawn([drawnScene({ place: 'beach', people: [{ who: 'Ann', top: 'red', size: 0.1 }] })])
    expect(see(script, [frame(1)], { smallest: 0.0001 })[0]?.people).toMatchObject([{ top: 'red' }])
    expect(see(script, [frame(1)], { smallest: 0.01 })[0]?.people).toEqual([])
  })

  test('a name only where it is written', () => {
    const ann = { who: 'Ann Reed', top: 'red' as const }
    const script = drawn([drawnScene({ texts: ['Ann Reed, baker'], people: [ann] }), drawnScene({ people: [ann] })])
    const [named, unnamed] = see(script, [frame(1), frame(11)])
    expect(named?.people).toMatchObject([{ name: 'Ann Reed' }])
    expect(unnamed?.people[0]).not.toHaveProperty('name')
  })

  test('whatever it mistakes, it tells of a place that can be drawn', () => {
    const told = see(crowd, middles, { confusions: 1 }).map(scene => scene.place)
    expect(told.every(place => place && scenePlaces.includes(place))).toBe(true)
  })
})
