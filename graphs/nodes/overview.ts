import type { Session } from '../session.ts'
import type { Change, RunState } from './run-state.ts'

// What is known of the whole video before any call, at no cost; and what the policies read in the question.
export async function overview(session: Session, state: RunState): Promise<Change> {
  const { index, watch } = session.parts
  watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  let { weighed } = state.agent
  let route = ''
  const hints = [...state.hints]
  for (const policy of session.policies) {
    const begun = policy.begin?.(session)
    session.learn(begun?.rows ?? [])
    route = begun?.route ?? route
    hints.push(...(begun?.hints ?? []))
    if (begun?.aspects) weighed = { ...weighed, aspects: begun.aspects }
  }
  return { agent: session.state(state.agent, { route, ...(weighed ? { weighed } : {}) }), hints, next: 'plan' }
}
