import { type Prop, props } from '../../../../../src/media/render/scene.ts'
import { shuffle } from '../../../../data/deck.ts'
import type { CastMember } from '../../people/people-story.ts'
import type { Expectation } from '../../record.ts'
import type { QuestionDraft } from '../dealer.ts'
import { article, cluesFrom, findIntroduction } from './about.ts'
import type { PeopleDealer } from './people-dealer.ts'

// Which of two people; both are named in the question, so that what counts is who is named first in the answer.
export function askCompare(dealer: PeopleDealer, nth: number): QuestionDraft {
  return [moreScenes, whoHasHat, seenFirst][nth % 3]!(dealer)
}

interface Pair {
  right: CastMember
  other: CastMember
}

function pairs(
  { story: { people } }: PeopleDealer,
  isRight: (right: CastMember, other: CastMember) => boolean,
): Pair[] {
  return people.flatMap(right =>
    people.filter(other => other !== right && isRight(right, other)).map(other => ({ right, other })),
  )
}

function moreScenes(dealer: PeopleDealer): QuestionDraft {
  const { sightings } = dealer.story
  const holds = (person: CastMember, prop: Prop) =>
    sightings.filter(seen => seen.person === person && seen.holds === prop)
  const comparisons = props.flatMap(prop => {
    const differ = pairs(dealer, (a, b) => holds(a, prop).length > holds(b, prop).length && holds(b, prop).length > 0)
    return differ.map(pair => ({ ...pair, prop }))
  })
  const { right, other, prop } = dealer.draw('more scenes', comparisons)
  const what = article(prop)
  return {
    question: `Who is seen with ${what} in more scenes, ${named(right, other, dealer)}?`,
    answer: `${right.name} is seen with ${what} in more scenes.`,
    ...which(right, other, ['both in equally many', 'neither of them']),
    ...cluesFrom(...holds(right, prop), ...holds(other, prop), ...introduced(dealer, right, other)),
  }
}

function whoHasHat(dealer: PeopleDealer): QuestionDraft {
  const { right, other } = dealer.draw(
    'hat',
    pairs(dealer, (a, b) => Boolean(a.hat) && !b.hat),
  )
  return {
    question: `Who wears a hat, ${named(right, other, dealer)}?`,
    answer: `${right.name} wears a hat.`,
    ...which(right, other, ['both of them', 'neither of them']),
    ...cluesFrom(...introduced(dealer, right, other)),
  }
}

function seenFirst(dealer: PeopleDealer): QuestionDraft {
  const first = (person: CastMember) => dealer.story.sightings.find(seen => seen.person === person)!
  const { right, other } = dealer.draw(
    'first',
    pairs(dealer, (a, b) => first(a).span.start < first(b).span.start),
  )
  return {
    question: `Who is seen first in the video, ${named(right, other, dealer)}?`,
    answer: `${right.name} is seen first.`,
    ...which(right, other, ['both at the same time', 'neither of them']),
    ...cluesFrom(first(right), first(other), ...introduced(dealer, right, other)),
  }
}

function named(right: CastMember, other: CastMember, { random }: PeopleDealer): string {
  const [a, b] = shuffle([right.name, other.name], random)
  return `${a} or ${b}`
}

function introduced({ story }: PeopleDealer, ...people: CastMember[]) {
  return people.map(person => findIntroduction(story, person))
}

function which(
  right: CastMember,
  other: CastMember,
  neither: string[],
): Pick<QuestionDraft, 'expect' | 'right' | 'wrong'> {
  const calls = ({ name, first, last }: CastMember) => [name, first, last]
  const expect: Expectation = {
    form: 'which',
    right: calls(right),
    others: calls(other),
    rivals: ['both', 'neither'],
  }
  return { expect, right: right.name, wrong: [other.name, ...neither] }
}
