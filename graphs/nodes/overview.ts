import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// What is known of the whole video before any call, at no cost; and what the policies read in the question.
export async function overview(session: AgentSession, state: RunState): Promise<Done> {
  const { index } = session.parts
  session.watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  let { weighed } = state
  let route = ''
  const hints = [...state.hints]
  for (const policy of session.policies) {
    const begun = policy.begin?.(session)
    session.learn(begun?.rows ?? [])
    route = begun?.route ?? route
    hints.push(...(begun?.hints ?? []))
    if (begun?.aspects) weighed = { ...weighed, aspects: begun.aspects }
  }
  return { update: { route, weighed, hints } }
}
