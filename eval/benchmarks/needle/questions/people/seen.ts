import { atPlace } from '../../people/pools.ts'
import type { QuestionDraft } from '../dealer.ts'
import {
  actions,
  answerWithProp,
  article,
  cluesFrom,
  colourAnswer,
  describePerson,
  findIntroduction,
  holdings,
  nameAnswer,
} from './about.ts'
import type { PeopleDealer } from './people-dealer.ts'

// What somebody wears or holds, who is known by where and how they are seen.
export function personFact(dealer: PeopleDealer, nth: number): QuestionDraft {
  return [shirtOfHolder, trousersOfActor, heldByDressed][nth % 3]!(dealer)
}

function shirtOfHolder(dealer: PeopleDealer): QuestionDraft {
  const seen = dealer.draw('shirt of holder', holdings(dealer.story))
  const { person, holds, place } = seen
  return {
    question: `What colour is the shirt of the person who holds the ${holds} ${atPlace[place]}?`,
    answer: `The shirt of that person is ${person.top}.`,
    ...colourAnswer(person, 'top', dealer),
    ...cluesFrom(seen),
  }
}

function trousersOfActor(dealer: PeopleDealer): QuestionDraft {
  const acting = actions(dealer.story)
  if (acting.length === 0) return shirtOfHolder(dealer)
  const seen = dealer.draw('trousers of actor', acting)
  const { person, doing, place } = seen
  return {
    question: `What colour are the trousers of the person who ${doing} ${atPlace[place]}?`,
    answer: `The trousers of that person are ${person.trousers}.`,
    ...colourAnswer(person, 'trousers', dealer),
    ...cluesFrom(seen),
  }
}

function heldByDressed(dealer: PeopleDealer): QuestionDraft {
  const { story } = dealer
  const seen = dealer.draw('held by dressed', holdings(story))
  const { person, holds, place } = seen
  return {
    question: `What does ${describePerson(story, person)} hold ${atPlace[place]}?`,
    answer: `That person holds ${article(holds)}.`,
    ...answerWithProp(seen, dealer),
    ...cluesFrom(seen),
  }
}

// A name that only the introduction tells.
export function who(dealer: PeopleDealer, nth: number): QuestionDraft {
  const { story } = dealer
  const acting = actions(story)
  const byAction = nth % 2 === 1 && acting.length > 0
  const seen = byAction ? dealer.draw('who does', acting) : dealer.draw('who holds', holdings(story))
  const { person, holds, doing, place } = seen
  const does = `${byAction ? doing : `holds the ${holds}`} ${atPlace[place]}`
  return {
    question: `Who ${does}?`,
    answer: `${person.name} ${does}.`,
    ...nameAnswer(person, dealer),
    ...cluesFrom(seen, findIntroduction(story, person)),
  }
}
