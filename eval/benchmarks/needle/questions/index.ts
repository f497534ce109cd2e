import type { NeedleKind } from '../record.ts'
import { howManyTimes, inWhichOrder } from './counts.ts'
import { saidWhileShown, shownWhileSaid } from './cross.ts'
import type { Dealer } from './dealer.ts'
import type { Draft } from './draft.ts'
import { pictureFact } from './picture.ts'
import { shownFact, whichOption } from './shown.ts'
import { absent, followUp, spokenFact } from './spoken.ts'
import { summary } from './summary.ts'
import { beforeAfter, when } from './times.ts'

// How a question of each kind is made; `nth` counts those of the kind in the video, from 0. Another kind is one line here.
export const questionMakers: Record<NeedleKind, (dealer: Dealer, nth: number) => Draft> = {
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
