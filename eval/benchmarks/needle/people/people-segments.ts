import { type HairName, hairColours, sceneColours } from '../../../../src/media/render/colours.ts'
import {
  type Doing,
  doings,
  type PaintedFigure,
  type Prop,
  props,
  type ScenePlace,
  type SceneVoice,
  type ScreenText,
  scenePlaces,
} from '../../../../src/media/render/scene.ts'
import { deck, endless, pick, shuffle, whole } from '../../../data/deck.ts'
import { capital, opening, viewSegment } from '../segments.ts'
import type { HeardItem, Segment } from '../story.ts'
import type { Appearance, CastMember, PeopleStory } from './people-story.ts'
import * as pool from './pools.ts'

type Random = () => number

// The segments in which people are seen or talked of. Each writes itself into the story when it gets its place.
export function peopleSegments(story: PeopleStory, rich: boolean, random: Random): Segment[] {
  story.people.push(...castPeople(rich ? 4 : 3, random))
  const narrator = pick<SceneVoice>(['rms', 'slt'], random)
  const scenes = stageScenes(story.people, rich ? 2 : 1, random)
  const sayings = deck(pool.sayings, random)
  const spoken = shuffle(story.people, random).slice(0, story.people.length / 2)
  return [
    ...scenes.map(scene => sceneSegment(scene, story, { narrator, sayings, spoken, rich }, random)),
    ...reasonSegments(scenes, story, narrator, rich ? 3 : 2, random),
  ]
}

interface Telling {
  narrator: SceneVoice
  sayings: { draw(): string }
  spoken: readonly CastMember[] // who is introduced by word of mouth; the others by a card
  rich: boolean
}

function sceneSegment({ place, on }: StagedScene, story: PeopleStory, telling: Telling, random: Random): Segment {
  const [{ person, as }] = on as [Staged]
  const isSpoken = as === 'introduced' && telling.spoken.includes(person)
  const words = as === 'speaker' ? telling.sayings.draw() : undefined
  const heard: HeardItem | undefined =
    words !== undefined
      ? { kind: 'speech', text: `${capital(words)}.`, voice: person.voice }
      : isSpoken
        ? { kind: 'speech', text: `This is ${person.name}.`, voice: telling.narrator }
        : undefined
  return {
    background: { kind: 'place', place, seed: whole(1, 1_000_000, random) },
    opens: opening(random),
    texts: as === 'introduced' && !isSpoken ? [card(person)] : [],
    things: [],
    figures: on.map((staged, i) => figure(staged, on.length === 1 ? 0.3 + random() * 0.36 : 0.24 + i * 0.44, random)),
    heard,
    seconds: telling.rich ? whole(4, 7, random) : 4,
    placed(seen, said) {
      for (const staged of on) story.sightings.push({ ...staged, place, span: seen })
      if (as === 'introduced')
        story.introductions.push({ person, by: isSpoken ? 'speech' : 'text', span: isSpoken ? said : seen })
      if (words !== undefined) story.sayings.push({ person, words, place, span: said })
    },
  }
}

function card({ name, job }: CastMember): ScreenText {
  return {
    text: `${name}, ${job}`,
    size: 0.085,
    at: { x: 0.06, y: 0.04 },
    colour: '#ffffff',
    behind: '#181c24',
    bold: true,
  }
}

function figure({ person, doing, holds }: Staged, x: number, random: Random): PaintedFigure {
  const { name, hair, top, trousers, hat } = person
  const size = 0.54 + random() * 0.08
  const y = 0.9 + random() * 0.06
  const way = doing === 'walks' ? 0.08 : 0
  return {
    who: name,
    hair: hairColours[hair],
    top: sceneColours[top],
    trousers: sceneColours[trousers],
    ...(hat && { hat: sceneColours[hat] }),
    ...(holds && { holds }),
    doing,
    size,
    path: [
      { x: x - way / 2, y },
      { x: x + way / 2, y },
    ],
  }
}

// Why somebody takes what is held in one of the scenes.
function reasonSegments(
  scenes: readonly StagedScene[],
  story: PeopleStory,
  voice: SceneVoice,
  count: number,
  random: Random,
): Segment[] {
  const holders = shuffle(scenes, random).flatMap(({ on }) => on.filter(({ holds }) => holds))
  const people = shuffle(story.people, random).slice(0, count)
  const reasons = shuffle(pool.storyReasons, random)
  return people.flatMap(person => {
    const heldProps = holders.filter(staged => staged.person === person).map(({ holds }) => holds)
    const nth = reasons.findIndex(reason => heldProps.includes(reason.prop))
    const [reason] = reasons.splice(nth, nth < 0 ? 0 : 1)
    if (!reason) throw new RangeError(`No reason is left for ${person.name} to take the ${heldProps.join(' or the ')}.`)
    const text = `${person.first} takes the ${reason.prop} because ${reason.clause}.`
    const heard: HeardItem = { kind: 'speech', text, voice }
    return [viewSegment({ heard, placed: (_, span) => story.reasons.push({ person, reason, span }) }, 0, random)]
  })
}

// The first two have shirts of one colour; every second has a hat, and so one of those two.
function castPeople(count: number, random: () => number): CastMember[] {
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
      name: `${first} ${last}`,
      first,
      last,
      job: jobs.draw(),
      voice: woman ? 'slt' : deep.draw(),
      hair: hair.draw(),
      top: i < 2 ? shared : tops.draw(),
      trousers: trousers.draw(),
      ...(i % 2 === hatted && { hat: hats.draw() }),
    }
  })
}

// A scene with one person or two.
interface StagedScene {
  place: ScenePlace
  on: Staged[]
}

type Staged = Omit<Appearance, 'place' | 'span'>

interface Wanted {
  on: Omit<Staged, 'doing'>[]
}

// Each person is introduced, says something alone, and is seen `more` times besides, alone or with another. The first holds one
// thing in two scenes, and the second holds it in one.
function stageScenes(people: readonly CastMember[], more: number, random: () => number): StagedScene[] {
  const alone = (person: CastMember, as: Staged['as']): Wanted => ({ on: [{ person, as }] })
  const introduced = people.map(person => alone(person, 'introduced'))
  const speakers = people.map(person => alone(person, 'speaker'))
  const seen = Array.from({ length: more }, () => pairs(people, random)).flat()
  const [favourite] = shuffle(props, random) as [Prop]
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
  const mixed = shuffle(people, random).map(person => ({ person, as: 'seen' as const }))
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
    const freePlace = shuffle(scenePlaces, random).find(isFree)
    if (!freePlace) throw new RangeError(`No place is left for ${on.map(({ person }) => person.name).join(' and ')}.`)
    for (const { holds } of on) if (holds) note(heldKeys, holds, freePlace)
    const staged = on.map(({ person, as, holds: given }): Staged => {
      const isLeft = (prop: Prop) => !heldKeys.has(`${prop} ${freePlace}`) && !heldKeys.has(`${person.name} ${prop}`)
      const holds = given ?? (as === 'introduced' ? undefined : shuffle(props, random).find(isLeft))
      note(been, person.name, freePlace)
      if (holds) note(heldKeys, holds, freePlace)
      if (holds) note(heldKeys, person.name, holds)
      return { person, as, doing: doing.draw(), ...(holds && { holds }) }
    })
    return { place: freePlace, on: staged }
  })
}
