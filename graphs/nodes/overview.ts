import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// What is known of the whole video before any call, at no cost. The rows that its chapters rest on can be cited.
export async function overview(session: AgentSession, state: RunState): Promise<Done> {
  const { index } = session.parts
  session.watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  const cited = index.overview.chapters.flatMap(chapter => chapter.cites.slice(0, 2))
  session.ledger.learn(cited.flatMap(id => index.byId(id) ?? []))
  const begun = session.policies.map(policy => policy.begin?.(session, state) ?? {})
  const aspects = begun.flatMap(one => one.aspects ?? [])
  return { update: aspects.length > 0 ? { weighed: { ...state.weighed, aspects } } : {} }
}
