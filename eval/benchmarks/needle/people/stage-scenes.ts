import {
  type Doing,
  doings,
  type Prop,
  props,
  type ScenePlace,
  scenePlaces,
} from '../../../../src/media/render/scene.ts'
import { endless, shuffled } from '../../../data/deck.ts'
import type { Appearance, CastMember } from './people-story.ts'

// A scene with one person or two.
export interface StagedScene {
  place: ScenePlace
  on: Staged[]
}

export type Staged = Omit<Appearance, 'place' | 'span'>

interface Wanted {
  on: Omit<Staged, 'doing'>[]
}

// Each person is introduced, says something alone, and is seen `more` times besides, alone or with another. The first holds one
// thing in two scenes, and the second holds it in one.
export function stageScenes(people: readonly CastMember[], more: number, random: () => number): StagedScene[] {
  const alone = (person: CastMember, as: Staged['as']): Wanted => ({ on: [{ person, as }] })
  const introduced = people.map(person => alone(person, 'introduced'))
  const speakers = people.map(person => alone(person, 'speaker'))
  const seen = Array.from({ length: more }, () => pairs(people, random)).flat()
  const [favourite] = shuffled(props, random) as [Prop]
  const [first, second] = people
  give(speakers, first!, favourite)
  give(speakers, second!, favourite)
  give(seen, first!, favourite)
  // Those with the least choice of a place come first.
  const isGiven = (scene: Wanted) => scene.on.some(({ holds }) => holds)
  const all = [...seen, ...speakers, ...introduced]
  return placed([...all.filter(isGiven), ...all.filter(scene => !isGiven(scene))], random)
}

function pairs(people: readonly CastMember[], random: () => number): Wanted[] {
  const mixed = shuffled(people, random).map(person => ({ person, as: 'seen' as const }))
  const wantedScenes: Wanted[] = []
  while (mixed.length > 0) {
    const on = mixed.splice(0, 2)
    if (on.length === 2 && random() < 0.6) wantedScenes.push({ on })
    else wantedScenes.push(...on.map(one => ({ on: [one] })))
  }
  return wantedScenes
}

function give(scenes: readonly Wanted[], person: CastMember, holds: Prop): void {
  const staged = scenes.flatMap(scene => scene.on).find(one => one.person === person)
  if (staged) staged.holds = holds
}

function placed(scenes: readonly Wanted[], random: () => number): StagedScene[] {
  const been = new Set<string>() // "Diane Miller beach"
  const heldKeys = new Set<string>() // "ball beach", "Diane Miller ball"
  const doing = endless<Doing>(doings, random)
  const note = (set: Set<string>, ...words: string[]) => void set.add(words.join(' '))
  for (const { on } of scenes) for (const { person, holds } of on) if (holds) note(heldKeys, person.name, holds)
  return scenes.map(({ on }) => {
    const isFree = (place: ScenePlace) =>
      on.every(
        ({ person, holds }) => !been.has(`${person.name} ${place}`) && !(holds && heldKeys.has(`${holds} ${place}`)),
      )
    const freePlace = shuffled(scenePlaces, random).find(isFree)
    if (!freePlace) throw new RangeError(`No place is left for ${on.map(({ person }) => person.name).join(' and ')}.`)
    for (const { holds } of on) if (holds) note(heldKeys, holds, freePlace)
    const staged = on.map(({ person, as, holds: given }): Staged => {
      const isLeft = (prop: Prop) => !heldKeys.has(`${prop} ${freePlace}`) && !heldKeys.has(`${person.name} ${prop}`)
      const holds = given ?? (as === 'introduced' ? undefined : shuffled(props, random).find(isLeft))
      note(been, person.name, freePlace)
      if (holds) note(heldKeys, holds, freePlace)
      if (holds) note(heldKeys, person.name, holds)
      return { person, as, doing: doing.draw(), ...(holds && { holds }) }
    })
    return { place: freePlace, on: staged }
  })
}
