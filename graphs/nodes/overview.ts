import { routeOf } from '../policy/routing.ts'
import type { Session } from '../session.ts'
import type { Change, RunState } from './run-state.ts'

// What is known of the whole video before any call, at no cost.
export async function overview(session: Session, state: RunState): Promise<Change> {
  const { index, policy, watch, question } = session.parts
  watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  if (policy.overviewFirst) {
    const cited = index.overview.chapters.flatMap(chapter => chapter.cites.slice(0, 2))
    session.learn(cited.map(id => index.byId(id)).filter(row => row !== undefined))
  }
  const route = policy.routing ? routeOf(question.text, question.options) : ''
  return { agent: session.state(state.agent, { route }), next: 'plan' }
}
