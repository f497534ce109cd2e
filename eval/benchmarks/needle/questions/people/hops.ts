import type { Appearance, Saying } from '../../people/people-story.ts'
import { atPlace } from '../../people/pools.ts'
import type { QuestionDraft } from '../dealer.ts'
import { answerWithProp, article, cluesFrom, colourAnswer, findIntroduction, holdings, placeAnswer } from './about.ts'
import type { PeopleDealer } from './people-dealer.ts'
import { drawReason } from './why.ts'

// What no single moment answers: who it is is known from one, and what is asked from another.
export function multiHop(dealer: PeopleDealer, nth: number): QuestionDraft {
  return [heldByNamed, placeOfSpeaker, shirtByReason][nth % 3]!(dealer)
}

function heldByNamed(dealer: PeopleDealer): QuestionDraft {
  const { story } = dealer
  const seen = dealer.draw('held by named', holdings(story))
  const { person, holds, place } = seen
  const introduction = findIntroduction(story, person)
  return {
    question: `What does the person who is introduced as ${person.name} hold ${atPlace[place]}?`,
    answer: `${person.name} holds ${article(holds)}.`,
    ...answerWithProp(seen, dealer),
    ...cluesFrom(introduction, seen),
  }
}

function placeOfSpeaker(dealer: PeopleDealer): QuestionDraft {
  const { story } = dealer
  const moves = story.sayings.flatMap(saying => listMoves(saying, story.sightings))
  const { saying, seen, when } = dealer.draw('place of speaker', moves)
  return {
    question: `Where is the person who says "${saying.words}" seen ${when}?`,
    answer: `That person is seen ${atPlace[seen.place]}.`,
    ...placeAnswer(seen.place, dealer),
    ...cluesFrom(saying, seen),
  }
}

function listMoves(saying: Saying, sightings: readonly Appearance[]) {
  const speakerSightings = sightings.filter(seen => seen.person === saying.person)
  const at = speakerSightings.findIndex(seen => seen.as === 'speaker')
  const [before, after] = [speakerSightings[at - 1], speakerSightings[at + 1]]
  return [
    ...(after ? [{ saying, seen: after, when: 'next' }] : []),
    ...(before ? [{ saying, seen: before, when: 'last before that' }] : []),
  ]
}

function shirtByReason(dealer: PeopleDealer): QuestionDraft {
  const drawnReason = drawReason(dealer)
  const { person, reason } = drawnReason
  return {
    question: `What colour is the shirt of the person who takes the ${reason.prop} because ${reason.clause}?`,
    answer: `The shirt of that person is ${person.top}.`,
    ...colourAnswer(person, 'top', dealer),
    ...cluesFrom(drawnReason, findIntroduction(dealer.story, person)),
  }
}
