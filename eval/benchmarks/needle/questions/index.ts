import type { NeedleKind } from '../record.ts'
import type { Dealer, QuestionDraft } from './dealer.ts'
import { absent, followUp, howManyTimes, inWhichOrder, saidWhileShown, shownWhileSaid, spokenFact } from './heard.ts'
import { pictureFact, shownFact, summary, whichOption } from './shown.ts'
import { beforeAfter, when } from './times.ts'

// How a question of each kind is made; `nth` counts those of the kind in the video, from 0.
export const questionMakers: Record<NeedleKind, (dealer: Dealer, nth: number) => QuestionDraft> = {
  'fact-spoken': spokenFact,
  'fact-text': shownFact,
  'fact-picture': pictureFact,
  when,
  'before-after': beforeAfter,
  count: howManyTimes,
  order: inWhichOrder,
  choice: whichOption,
  'said-while-shown': saidWhileShown,
  'shown-while-said': shownWhileSaid,
  summary,
  absent,
  'follow-up': followUp,
}

// The questions of a video, in this order as far as it goes: the first twelve are one of nearly every kind.
export const questionOrder: NeedleKind[] = [
  ...(['fact-spoken', 'fact-text', 'when', 'count', 'said-while-shown', 'shown-while-said'] as const),
  ...(['absent', 'before-after', 'order', 'fact-picture', 'summary', 'follow-up'] as const),
  ...(['fact-spoken', 'fact-text', 'when', 'count', 'said-while-shown', 'shown-while-said'] as const),
  ...(['absent', 'before-after', 'choice', 'fact-picture', 'fact-spoken', 'fact-text'] as const),
]
