import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// One more run where the answer is unsure, or the end of the vote. A checkpoint lies between two runs.
export async function vote(session: AgentSession, state: RunState): Promise<Done> {
  for (const policy of session.policies) if (policy.vote) return policy.vote(session, state)
  return { goto: 'answer', update: {} }
}
