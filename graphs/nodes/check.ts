import type { AgentSession } from '../session.ts'
import type { Checked, Done, DraftSentence, Judged, RunState } from '../state.ts'
import { runCallsOf } from './act.ts'
import { judge } from './judge.ts'

// Tries each sentence against the rows it cites, in a fresh context. What did not hold is doubted by the policies, which may send
// the run back to search on; what held they may support.
export async function check(session: AgentSession, state: RunState): Promise<Done> {
  const written = state.written ?? { sentences: [] }
  const { round } = state
  let checked: Checked = { written, verdicts: await judgeAll(session, written.sentences), steps: [], round }
  for (const policy of session.policies) {
    if (!policy.doubt) continue
    const { again, ...seen } = await policy.doubt(session, state, checked, runCallsOf(session, state, policy))
    if (again) return { goto: 'plan', update: { ...seen, ...again, secondLooks: 1 } }
    checked = seen
  }
  for (const verdict of checked.verdicts) session.watch({ type: 'verdict', ...verdict })
  for (const policy of session.policies)
    if (policy.support) checked = await policy.support(session, state, checked, runCallsOf(session, state, policy))
  const update = { ...checked, secondLooks: 1 }
  const weighed = { ...state.weighed, ...checked.weighed }
  const now = session.now({ ...state, ...update, steps: [...state.steps, ...checked.steps], weighed })
  const unsure = session.policies.some(policy => policy.unsure?.(session, now))
  return { goto: unsure ? 'vote' : 'answer', update }
}

async function judgeAll(session: AgentSession, sentences: readonly DraftSentence[]): Promise<Judged[]> {
  const verdicts: Judged[] = []
  for (let at = 0; at < sentences.length; at += 4)
    verdicts.push(...(await Promise.all(sentences.slice(at, at + 4).map(one => judge(session, one)))))
  return verdicts
}
