import { type Prop, props, type ScenePlace, scenePlaces } from '../../../../../src/media/render/scene.ts'
import type { Appearance, CastMember, Introduction, PeopleStory, Saying, StoryFact } from '../../people/people-story.ts'
import { atPlace, lastNames, men, tops, trousers, women } from '../../people/pools.ts'
import type { Expectation, NeedleModality } from '../../record.ts'
import { phraseAmong, type QuestionDraft } from '../dealer.ts'
import type { PeopleDealer } from './people-dealer.ts'

// Words that fit only one person of the video.
export function describePerson({ people }: PeopleStory, person: CastMember): string {
  const alike = people.filter(other => other.top === person.top)
  const shirt = `the person in the ${person.top} shirt`
  return alike.length === 1 ? shirt : `${shirt} and ${person.trousers} trousers`
}

export const article = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

// Where people are seen without being introduced: who they are must be known from elsewhere.
export function unnamedSightings({ sightings }: PeopleStory): Appearance[] {
  return sightings.filter(({ as }) => as !== 'introduced')
}

export type Holding = Appearance & { holds: Prop }

export function holdings(story: PeopleStory): Holding[] {
  return unnamedSightings(story).filter((seen): seen is Holding => seen.holds !== undefined)
}

// Those of whom nobody else does the same at the same place.
export function actions(story: PeopleStory): Appearance[] {
  const { sightings } = story
  const same = (a: Appearance, b: Appearance) => a.place === b.place && a.doing === b.doing
  return unnamedSightings(story).filter(
    seen => seen.doing !== 'stands' && sightings.filter(other => same(seen, other)).length === 1,
  )
}

export function findIntroduction({ introductions }: PeopleStory, person: CastMember): Introduction {
  const firstIntroduction = introductions.find(introduction => introduction.person === person)
  if (!firstIntroduction) throw new RangeError(`${person.name} is never introduced.`)
  return firstIntroduction
}

type Hop = Appearance | Introduction | Saying | StoryFact

// Where all that is needed for the answer is seen and heard, in time order.
export function cluesFrom(...hops: Hop[]): Pick<QuestionDraft, 'clues' | 'modalities'> {
  const seen = (hop: Hop) => 'doing' in hop || ('by' in hop && hop.by === 'text')
  const modalities = hops.flatMap((hop): NeedleModality[] => (seen(hop) ? ['visual'] : speech(hop)))
  const spans = new Map(hops.map(({ span }) => [`${span.start} ${span.end}`, span]))
  return { clues: [...spans.values()].sort((a, b) => a.start - b.start), modalities: [...new Set(modalities)] }
}

// Whose words they are, is seen; a reason is only heard.
function speech(hop: Hop): NeedleModality[] {
  return 'reason' in hop ? ['speech'] : ['visual', 'speech']
}

type Answer = Pick<QuestionDraft, 'expect' | 'right' | 'wrong'>

export function nameAnswer(person: CastMember, { story, rivals }: PeopleDealer): Answer {
  const otherPeople = story.people.filter(other => other !== person)
  const calls = ({ name, first, last }: CastMember) => [name, first, last]
  const usedNames = story.people.flatMap(calls)
  const strangers = [...women, ...men]
    .filter(first => !usedNames.includes(first))
    .map((first, i) => `${first} ${lastNames.filter(last => !usedNames.includes(last))[i % 4]}`)
  const wrong = rivals(
    person.name,
    otherPeople.map(other => other.name),
    otherPeople.length < 3 ? strangers : [],
  )
  const expect: Expectation = { form: 'words', groups: [calls(person)], rivals: wrong.flatMap(name => name.split(' ')) }
  return { expect, right: person.name, wrong }
}

// A colour of somebody's clothes; what else that person wears does not compete with it, and may be named beside it.
export function colourAnswer(person: CastMember, piece: 'top' | 'trousers', { story, rivals }: PeopleDealer): Answer {
  const worn = [person.top, person.trousers, person.hat]
  const free = (colours: readonly string[]) => colours.filter(colour => !worn.some(own => own === colour))
  const right = person[piece]
  return phraseAmong(
    right,
    rivals(right, free(story.people.map(other => other[piece])), free(piece === 'top' ? tops : trousers)),
  )
}

export function placeAnswer(place: ScenePlace, { rivals }: PeopleDealer): Answer {
  const wrong = rivals(place, [], scenePlaces)
  return {
    expect: { form: 'words', groups: [[place]], rivals: wrong },
    right: atPlace[place],
    wrong: wrong.map(other => atPlace[other as ScenePlace]),
  }
}

export function answerWithProp({ holds, person, place }: Holding, { story, rivals }: PeopleDealer): Answer {
  const near = story.sightings.filter(seen => seen.person === person || seen.place === place)
  const wrong = rivals(
    holds,
    near.flatMap(seen => seen.holds ?? []),
    props,
  )
  return {
    expect: { form: 'words', groups: [[holds]], rivals: wrong },
    right: article(holds),
    wrong: wrong.map(article),
  }
}
