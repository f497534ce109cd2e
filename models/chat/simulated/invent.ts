import { type ColourName, colours } from '../../../src/media/render/colours.ts'
import { props } from '../../../src/media/render/scene.ts'
import type { Errors } from './errors.ts'
import type { SeenScene } from './seen.ts'

const objects = ['dog', 'bicycle', 'cup', 'bird', 'clock', 'basket'] // that are never drawn

// The same scene with a detail that is not there: a hat, something in a hand, or an object.
export function invent(seen: SeenScene, errors: Errors, ...where: unknown[]): SeenScene {
  const bare = seen.people.flatMap((person, at) => (person.hat ? [] : [{ kind: 'hat' as const, at }]))
  const empty = seen.people.flatMap((person, at) => (person.holds.length > 0 ? [] : [{ kind: 'prop' as const, at }]))
  const made = errors.pick([...bare, ...empty, { kind: 'object' as const, at: -1 }], 'invention', ...where)
  const changed = (change: (person: SeenScene['people'][number]) => object) => ({
    ...seen,
    people: seen.people.map((person, at) => (at === made?.at ? { ...person, ...change(person) } : person)),
  })
  switch (made?.kind) {
    case 'hat':
      return changed(() => ({ hat: errors.pick(Object.keys(colours) as ColourName[], 'invented hat', ...where) }))
    case 'prop':
      return changed(({ frames: [frame = 0] }) => ({
        holds: [{ what: errors.pick(props, 'invented prop', ...where) ?? props[0], frame }],
      }))
    default:
      return { ...seen, invented: errors.pick(objects, 'invented object', ...where) }
  }
}
