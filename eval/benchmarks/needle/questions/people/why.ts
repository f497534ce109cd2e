import type { StoryFact } from '../../people/people-story.ts'
import { type Reason, storyReasons } from '../../people/pools.ts'
import type { QuestionDraft } from '../dealer.ts'
import { cluesFrom, describePerson, findIntroduction } from './about.ts'
import type { PeopleDealer } from './people-dealer.ts'

// A reason that is said of somebody by name; every second time the question knows the person only by clothes.
export function why(dealer: PeopleDealer, nth: number): QuestionDraft {
  const { story } = dealer
  const drawnReason = drawReason(dealer)
  const { person, reason } = drawnReason
  const byName = nth % 2 === 0
  return {
    question: `Why does ${byName ? person.name : describePerson(story, person)} take the ${reason.prop}?`,
    answer: `${person.first} takes the ${reason.prop} because ${reason.clause}.`,
    ...answerWithReason(reason, dealer),
    ...(byName ? cluesFrom(drawnReason) : cluesFrom(drawnReason, findIntroduction(story, person))),
  }
}

// No reason is asked for that another question has told.
export function drawReason(dealer: PeopleDealer): StoryFact {
  return dealer.draw('reason', dealer.story.reasons)
}

function answerWithReason(
  reason: Reason,
  { story, rivals }: PeopleDealer,
): Pick<QuestionDraft, 'expect' | 'right' | 'wrong'> {
  const because = ({ clause }: Reason) => `because ${clause}`
  const otherReasons = story.reasons.map(told => because(told.reason))
  const wrong = rivals(because(reason), otherReasons, storyReasons.map(because))
  const matters = storyReasons.filter(other => wrong.includes(because(other))).map(({ matter }) => matter)
  return {
    expect: { form: 'words', groups: [[reason.matter], reason.trouble], rivals: matters },
    right: because(reason),
    wrong,
  }
}
