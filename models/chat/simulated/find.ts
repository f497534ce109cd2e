import { contentWords } from '../../../src/text/terms.ts'
import { coverage } from '../../../src/text/word-similarity.ts'
import type { SightQuestion } from './question.ts'
import type { SeenPerson, SeenScene, SeenThings } from './seen.ts'

// What of the frames a question means.
export interface SceneMatches {
  scenes: SeenScene[] // where it can be: of the place and with the words that the question names
  people: { person: SeenPerson; scene: SeenScene }[]
  things: SeenThings[]
  isNamed: boolean // a name that the question gives is written in the frames
}

export function findInScenes(asked: SightQuestion, all: readonly SeenScene[]): SceneMatches {
  const scenes = all.filter(scene => isPlace(asked, scene) && asked.quoted.every(quote => reads(scene, quote)))
  const { name, ...looks } = asked.person
  const everybody = scenes.flatMap(scene => scene.people.map(person => ({ person, scene })))
  const named = everybody.filter(({ person }) => name !== undefined && person.name === name)
  const people = (named.length > 0 ? named : everybody).filter(({ person }) => fits(looks, person))
  const things = asked.shape
    ? scenes.flatMap(scene => scene.things.filter(({ shape }) => shape === asked.shape))
    : scenes.flatMap(scene => scene.things)
  return { scenes, people, things, isNamed: named.length > 0 }
}

function isPlace({ place }: SightQuestion, scene: SeenScene): boolean {
  return place === undefined || scene.place === place
}

function reads({ texts }: SeenScene, quote: string): boolean {
  return coverage(contentWords(quote), texts.map(({ text }) => text).join('\n')) >= 0.7
}

// What was not made out of a person fits nothing.
function fits(
  { top, trousers, hair, hat, holds, does }: Omit<SightQuestion['person'], 'name'>,
  person: SeenPerson,
): boolean {
  if (top && person.top !== top) return false
  if (trousers && person.trousers !== trousers) return false
  if (hair && person.hair !== hair) return false
  if (hat === 'none' ? person.hat : hat && (hat === 'any' ? !person.hat : person.hat !== hat)) return false
  if (holds && !person.holds.some(({ what }) => what === holds)) return false
  return !does || person.does.some(({ what }) => what === does)
}
