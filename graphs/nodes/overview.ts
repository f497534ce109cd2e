import { aspectsOf } from '../policy/aspect-writer.ts'
import { overviewRows } from '../policy/overview-first.ts'
import { routeOf } from '../policy/routing.ts'
import { trapHint, trapsIn } from '../policy/trap-detector.ts'
import type { Session } from '../session.ts'
import type { Change, RunState } from './run-state.ts'

// What is known of the whole video before any call, at no cost; and what sort of question it is.
export async function overview(session: Session, state: RunState): Promise<Change> {
  const { index, policy, watch, question } = session.parts
  watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  if (policy.overviewFirst) session.learn(overviewRows(index))
  const route = policy.routing ? routeOf(question.text, question.options) : ''
  const traps = policy.trapDetector ? trapsIn(question, index.coverage.duration) : []
  const aspects = policy.aspectWriter ? aspectsOf(question) : []
  const weighed = aspects.length > 1 ? { ...state.agent.weighed, aspects } : state.agent.weighed
  return {
    agent: session.state(state.agent, { route, ...(weighed ? { weighed } : {}) }),
    hints: [...state.hints, ...traps.map(trapHint)],
    next: 'plan',
  }
}
