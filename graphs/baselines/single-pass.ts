import { evenMoments } from '../../src/core/sight/moments.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { baselineGraph } from './baseline.ts'
import { draftFromFrames, learnWords, wholeSpan } from './frames.ts'

// Frames at even distances and the rows of speech, text, sound and captions, shown to the vision model in one call: no tools, no
// loop, no check. What any other graph must beat.
export default baselineGraph({
  gather: { work: gather, next: ['draft'] },
  draft: { work: draft, next: ['answer'] },
  answer: { work: concludeAnswer, next: [] },
})

async function gather(session: AgentSession): Promise<Done> {
  learnWords(session)
  return { update: {} }
}

function draft(session: AgentSession, state: RunState): Promise<Done> {
  const { budget, index, policy } = session.parts
  const times = evenMoments(wholeSpan(index), Math.min(policy.singlePassFrames, budget.frames))
  return draftFromFrames(session, state, times)
}
