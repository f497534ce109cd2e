import { groupBy } from '../../src/core/basics/group-by.ts'
import { type ColourName, sceneColours } from '../../src/media/render/colours.ts'
import { props, type ScenePlace, type Script, scenePlaces } from '../../src/media/render/scene.ts'
import type { Errors } from './errors.ts'
import { lineShare, pictureShare } from './legible.ts'
import { type Look, type TrueFrame, timeBucket } from './look.ts'
import { peopleIn } from './people.ts'
import type { PerceivedFrame, SeenScene, SeenText, SeenThings } from './seen.ts'
import { truthAt } from './truth.ts'

interface Eyes {
  script: Script
  errors: Errors
  smallest: number
  inventions: number
}

// What a model with these errors makes out in frames, scene by scene in the order in which they are shown.
export function perceive(shown: readonly PerceivedFrame[], { inventions, ...eyes }: Eyes): SeenScene[] {
  const frames = shown.map(({ time, cells }, at): TrueFrame => ({ at, time, cells, truth: truthAt(eyes.script, time) }))
  const scenes = [...new Set(frames.map(frame => frame.truth.scene))]
  return scenes.map(scene => {
    const look: Look = { ...eyes, scene, frames: frames.filter(frame => frame.truth.scene === scene) }
    const texts = textsIn(look)
    const seen: SeenScene = {
      scene,
      frames: look.frames.map(({ at }) => at),
      place: placeIn(look),
      people: peopleIn(
        look,
        texts.map(({ text }) => text),
      ),
      things: thingsIn(look),
      texts,
    }
    const isInvented = eyes.errors.happens(inventions, 'invention', scene, timeBucket(look.frames[0]!))
    return isInvented ? invent(seen, eyes.errors, scene, timeBucket(look.frames[0]!)) : seen
  })
}

function placeIn({ frames, errors, scene }: Look): ScenePlace | undefined {
  const first = frames.find(({ truth }) => truth.place !== undefined)
  const truePlace = first?.truth.place
  if (!first || !truePlace) return undefined
  const fact = [scene, 'place', truePlace, timeBucket(first)]
  if (errors.happens(errors.misses, 'miss', ...fact)) return undefined
  return errors.taken(errors.confusions, truePlace, scenePlaces, ...fact)
}

// Things of one shape and colour are counted together: as many as one frame shows at once.
function thingsIn({ frames, errors, smallest, scene }: Look): SeenThings[] {
  const seen = new Map<string, SeenThings & { right: string }>()
  for (const frame of frames) {
    const groups = groupBy(frame.truth.things, ({ shape, colour }) => `${colour} ${shape}`)
    for (const [right, group] of groups) {
      const large = group.filter(({ box }) => pictureShare(box, frame) >= smallest)
      const noticed = large.filter(
        (_, nth) => !errors.happens(errors.misses, 'miss', scene, right, nth, timeBucket(frame)),
      )
      const [thing] = noticed
      const sameThings = seen.get(right)
      if (!thing || (sameThings && sameThings.count >= noticed.length)) continue
      const names = Object.keys(sceneColours) as (keyof typeof sceneColours)[]
      const colour =
        sameThings?.colour ?? errors.taken(errors.confusions, thing.colour, names, scene, right, timeBucket(frame))
      seen.set(right, {
        right,
        shape: thing.shape,
        colour,
        count: noticed.length,
        frame: sameThings?.frame ?? frame.at,
      })
    }
  }
  return [...seen.values()].map(({ right: _, ...things }) => things)
}

// A line is read in the first frame that shows it large enough.
function textsIn({ frames, errors, smallest, scene, script }: Look): SeenText[] {
  const legible = frames.flatMap(frame =>
    frame.truth.texts
      .filter(text => lineShare(script, frame, text) >= smallest)
      .map(text => ({ text, frame: frame.at, bucket: timeBucket(frame) })),
  )
  const first = [...new Map(legible.toReversed().map(line => [line.text, line])).values()].reverse()
  return first
    .filter(({ text, bucket }) => !errors.happens(errors.misses, 'miss', scene, 'text', text, bucket))
    .map(({ text, frame }) => ({ text, frame }))
}

const objects = ['dog', 'bicycle', 'cup', 'bird', 'clock', 'basket'] // that are never drawn

// The same scene with a detail that is not there: a hat, something in a hand, or an object.
function invent(seen: SeenScene, errors: Errors, ...where: unknown[]): SeenScene {
  const bare = seen.people.flatMap((person, at) => (person.hat ? [] : [{ kind: 'hat' as const, at }]))
  const empty = seen.people.flatMap((person, at) => (person.holds.length > 0 ? [] : [{ kind: 'prop' as const, at }]))
  const invention = errors.pick([...bare, ...empty, { kind: 'object' as const, at: -1 }], 'invention', ...where)
  const changed = (change: (person: SeenScene['people'][number]) => object) => ({
    ...seen,
    people: seen.people.map((person, at) => (at === invention?.at ? { ...person, ...change(person) } : person)),
  })
  switch (invention?.kind) {
    case 'hat':
      return changed(() => ({ hat: errors.pick(Object.keys(sceneColours) as ColourName[], 'invented hat', ...where) }))
    case 'prop':
      return changed(({ frames: [frame = 0] }) => ({
        holds: [{ what: errors.pick(props, 'invented prop', ...where) ?? props[0], frame }],
      }))
    default:
      return { ...seen, invented: errors.pick(objects, 'invented object', ...where) }
  }
}
