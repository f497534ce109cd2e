import type { AgentState } from '../../src/core/agent.ts'
import type { Session } from '../session.ts'
import { runCallsOf } from './act.ts'
import { judge } from './judge.ts'
import type { Change, Checked, DraftSentence, Judged, RunState } from './run-state.ts'

// Tries each sentence against the rows it cites, in a fresh context. What did not hold is doubted by the policies, which may send
// the run back to search on; what held they may support.
export async function check(session: Session, state: RunState): Promise<Change> {
  const draft = state.draft ?? { sentences: [] }
  const verdicts = await judgeAll(session, state.agent, draft.sentences)
  let checked: Checked = { agent: state.agent, round: state.round, draft, verdicts }
  for (const policy of session.policies) {
    if (!policy.doubt) continue
    const { next, hints, dropped, ...seen } = await policy.doubt(session, state, checked, runCallsOf(session, policy))
    checked = seen
    if (next !== 'plan') continue
    const agent = session.state(checked.agent, { draft: undefined, verdicts: [] })
    return { agent, draft: undefined, round: checked.round, dropped, hints, secondLooks: 1, next }
  }
  for (const verdict of checked.verdicts) session.parts.watch({ type: 'verdict', ...verdict })
  for (const policy of session.policies)
    if (policy.support)
      checked = await policy.support(session, withVerdicts(session, checked), runCallsOf(session, policy))
  const { agent, round, draft: last } = withVerdicts(session, checked)
  return { agent, draft: last, round, secondLooks: 1, next: 'answer' }
}

function withVerdicts(session: Session, checked: Checked): Checked {
  const { agent, draft, verdicts } = checked
  return { ...checked, agent: session.state(agent, { verdicts, draft: draft.sentences }) }
}

async function judgeAll(session: Session, agent: AgentState, sentences: readonly DraftSentence[]): Promise<Judged[]> {
  const verdicts: Judged[] = []
  for (let at = 0; at < sentences.length; at += 4)
    verdicts.push(...(await Promise.all(sentences.slice(at, at + 4).map(one => judge(session, agent, one)))))
  return verdicts
}
