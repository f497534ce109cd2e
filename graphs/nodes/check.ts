import { inOrder } from '../../src/core/basics/in-order.ts'
import type { Draft } from '../../src/core/brief.ts'
import { judge } from '../asking/judge.ts'
import type { AgentSession } from '../session.ts'
import type { Done, Judged, RunState, Update } from '../state.ts'

// Tries each sentence against the rows that it cites, in a fresh context.
export async function check(session: AgentSession, state: RunState): Promise<Done> {
  const verdicts = await judgeAll(session, state.written)
  for (const verdict of verdicts) session.watch({ type: 'verdict', ...verdict })
  let update: Update = { verdicts }
  for (const policy of session.policies)
    if (policy.after) update = { ...update, ...(await policy.after(session, session.now({ ...state, verdicts }))) }
  return { update }
}

const atOnce = 4 // sentences

async function judgeAll(session: AgentSession, { sentences, by }: Draft = { sentences: [] }) {
  const verdicts: Judged[] = []
  // A run that is stopped gets an answer that says so: judge ends by itself then, and is not thrown out of here.
  const { signal } = new AbortController()
  const judged = inOrder(sentences, atOnce, signal, one => judge(session, one, by ?? 'verifier'))
  for await (const verdict of judged) verdicts.push(verdict)
  return verdicts
}
