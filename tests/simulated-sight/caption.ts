import type { Caption } from '../../src/core/brief.ts'
import type { Script } from '../../src/media/render/scene.ts'
import {
  a,
  capital,
  describeActions,
  describeLooks,
  describeThings,
  doingWords,
  inPlace,
  joinWords,
  personSentence,
} from './say.ts'
import type { SeenPerson, SeenScene } from './seen.ts'

// A clip as the captions stage asks for it. Frames are numbered from 1; people are described, and named only where a frame names them.
export function writeCaption(scenes: readonly SeenScene[], script: Script): Caption {
  const events = scenes.flatMap(captionEvents)
  const people = scenes.flatMap(scene => scene.people)
  return {
    events: events.length > 0 ? events : [{ frame: 1, text: 'Nothing can be made out.' }],
    people: people.map(person => ({
      looks: describeLooks(person),
      does: describeActions(person),
      name: person.name ?? '',
    })),
    place: joinWords([...new Set(scenes.flatMap(({ place }) => (place ? [a(place)] : [])))]),
    objects: [...new Set(scenes.flatMap(captionObjects))],
    text: [...new Set(scenes.flatMap(({ texts }) => texts.map(({ text }) => text)))],
    camera: describeCamera(scenes, script),
  }
}

function captionEvents({ place, people, things, texts, frames, invented }: SeenScene): Caption['events'] {
  const [first = 0] = frames
  const where = place ? ` ${inPlace(place)}` : ''
  const events = [
    ...(place && people.length === 0 ? [{ frame: first, text: `${capital(a(place))} is seen.` }] : []),
    ...people.flatMap(person => personEvents(person, where)),
    ...things.map(one => ({
      frame: one.frame,
      text: `${capital(describeThings(one))} ${one.count === 1 ? 'is' : 'are'} shown.`,
    })),
    ...texts.map(({ text, frame }) => ({ frame, text: `The text reads "${text}".` })),
    ...(invented ? [{ frame: first, text: `${capital(a(invented))} is there.` }] : []),
  ]
  return events.sort((one, other) => one.frame - other.frame).map(({ frame, text }) => ({ frame: frame + 1, text }))
}

// The person with what is done first, then each other thing done or held when it is first seen.
function personEvents(person: SeenPerson, where: string): Caption['events'] {
  const { does, holds, frames } = person
  const [begin = 0] = frames
  const first = { ...person, does: does.slice(0, 1), holds: holds.filter(({ frame }) => frame === begin) }
  const later = [
    ...does.slice(1).map(({ what, frame }) => ({ frame, text: doingWords[what].does })),
    ...holds.filter(({ frame }) => frame !== begin).map(({ what, frame }) => ({ frame, text: `holds ${a(what)}` })),
  ]
  const again = capital(describeLooks(person)).replace(/^A person/, 'The person')
  return [
    { frame: begin, text: `${capital(personSentence(first))}${where}.` },
    ...later.map(({ frame, text }) => ({ frame, text: `${again} ${text}.` })),
  ]
}

function captionObjects({ people, things, invented }: SeenScene): string[] {
  return [
    ...people.flatMap(({ holds }) => holds.map(({ what }) => what)),
    ...things.map(describeThings),
    ...(invented ? [invented] : []),
  ]
}

function describeCamera(scenes: readonly SeenScene[], { scenes: all }: Script): string {
  const moves = scenes.some(({ scene }) => all[scene]?.background.kind === 'texture')
  return `${moves ? 'The camera pans' : 'The camera stands still'}${scenes.length > 1 ? `; the clip has ${scenes.length} scenes` : ''}.`
}
