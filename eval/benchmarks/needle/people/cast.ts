import { type HairName, hairColours } from '../../../../src/media/render/colours.ts'
import type { SceneVoice } from '../../../../src/media/render/scene.ts'
import { deck, endless } from '../../../data/deck.ts'
import type { CastMember } from './people-story.ts'
import * as pool from './pools.ts'

// The first two have shirts of one colour; every second has a hat, and so one of those two.
export function castPeople(count: number, random: () => number): CastMember[] {
  const [women, men] = [deck(pool.women, random), deck(pool.men, random)]
  const [lastNames, jobs] = [deck(pool.lastNames, random), deck(pool.jobPool, random)]
  const [tops, trousers, hats] = [deck(pool.tops, random), deck(pool.trousers, random), deck(pool.hats, random)]
  const hair = endless(Object.keys(hairColours) as HairName[], random)
  const deep = deck<SceneVoice>(['rms', 'awb', 'kal16'], random)
  const shared = tops.draw()
  const [hatted, womanly] = [random() < 0.5 ? 0 : 1, random() < 0.5 ? 0 : 1]
  return Array.from({ length: count }, (_, i): CastMember => {
    const woman = i % 2 === womanly
    const [first, last] = [(woman ? women : men).draw(), lastNames.draw()]
    return {
      ...{ name: `${first} ${last}`, first, last, job: jobs.draw() },
      voice: woman ? 'slt' : deep.draw(),
      ...{ hair: hair.draw(), top: i < 2 ? shared : tops.draw(), trousers: trousers.draw() },
      ...(i % 2 === hatted && { hat: hats.draw() }),
    }
  })
}
