import type { NeedleKind } from '../record.ts'
import type { Dealer, QuestionDraft } from './dealer.ts'
import { absent, followUp, howManyTimes, inWhichOrder, saidWhileShown, shownWhileSaid, spokenFact } from './heard.ts'
import { askCompare } from './people/compare.ts'
import { multiHop } from './people/hops.ts'
import type { PeopleDealer } from './people/people-dealer.ts'
import { personFact, who } from './people/seen.ts'
import { why } from './people/why.ts'
import { askSummary, pictureFact, shownFact, whichOption } from './shown.ts'
import { beforeAfter, when } from './times.ts'

// How a question of each kind is made; `nth` counts those of the kind in the video, from 0.
export const questionMakers: Record<NeedleKind, (dealer: Dealer, nth: number) => QuestionDraft> = {
  'fact-spoken': spokenFact,
  'fact-text': shownFact,
  'fact-picture': factInPicture,
  when,
  'before-after': beforeAfter,
  count: howManyTimes,
  order: inWhichOrder,
  choice: whichOption,
  'said-while-shown': saidWhileShown,
  'shown-while-said': shownWhileSaid,
  summary: askSummary,
  absent,
  'follow-up': followUp,
  who: ofPeople(who),
  why: ofPeople(why),
  compare: ofPeople(askCompare),
  'multi-hop': ofPeople(multiHop),
}

// Where people are drawn, every question about a picture but the second is about them.
function factInPicture(dealer: Dealer, nth: number): QuestionDraft {
  if (!dealer.people) return pictureFact(dealer, nth)
  return nth === 1 ? pictureFact(dealer, 0) : personFact(dealer.people, nth === 0 ? 0 : nth - 1)
}

function ofPeople(make: (dealer: PeopleDealer, nth: number) => QuestionDraft) {
  return ({ people }: Dealer, nth: number) => {
    if (!people) throw new RangeError('There are no people in this video.')
    return make(people, nth)
  }
}

// The questions of a video, in this order as far as it goes: the first twelve are one of nearly every kind.
export const questionOrder: NeedleKind[] = [
  ...(['fact-spoken', 'fact-text', 'when', 'count', 'said-while-shown', 'shown-while-said'] as const),
  ...(['absent', 'before-after', 'order', 'fact-picture', 'summary', 'follow-up'] as const),
  ...(['fact-spoken', 'fact-text', 'when', 'count', 'said-while-shown', 'shown-while-said'] as const),
  ...(['absent', 'before-after', 'choice', 'fact-picture', 'fact-spoken', 'fact-text'] as const),
]

// Where people are drawn, half of the questions are about them.
export const peopleOrder: NeedleKind[] = [
  ...(['who', 'fact-spoken', 'fact-picture', 'why', 'fact-text', 'multi-hop', 'compare', 'when'] as const),
  ...(['who', 'count', 'fact-picture', 'said-while-shown', 'multi-hop', 'absent', 'why', 'before-after'] as const),
  ...(['compare', 'order', 'who', 'summary', 'fact-picture', 'multi-hop', 'follow-up', 'compare'] as const),
]

export const shortPeopleOrder: NeedleKind[] = [
  ...(['who', 'fact-spoken', 'fact-picture', 'why', 'multi-hop', 'compare'] as const),
  ...(['who', 'fact-text', 'multi-hop', 'absent', 'why', 'compare'] as const),
]
