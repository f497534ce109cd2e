import type { Draft } from '../../src/core/brief.ts'
import type { ChatRequest } from '../../src/core/chat.ts'
import { askModel } from '../nodes/ask-model.ts'
import { readDraft } from '../nodes/read-draft.ts'
import { mayCallModel } from '../policy/budgets.ts'
import { writeRequest } from '../prompts.ts'
import type { Session } from '../session.ts'
import type { PlainState } from './run-nodes.ts'

// One call of the writer over the ledger as it is.
export async function writeOnce(session: Session, state: PlainState): Promise<Draft | undefined> {
  const { budget, question } = session.parts
  const agent = session.state(state.agent, {})
  if (session.stopped() || !mayCallModel(agent, budget, session.elapsed())) return undefined
  const reply = await askModel(session, 'writer', share => requestOf(session, state, share))
  return reply ? readDraft(reply.text, question.options) : undefined
}

export function requestOf(session: Session, state: PlainState, share: number): ChatRequest {
  const { index, policy } = session.parts
  return writeRequest({
    state: session.state(state.agent, {}),
    turns: session.turns,
    coverage: index.coverage,
    overview: index.overview,
    dropped: [],
    hints: [],
    aside: new Set(),
    aspects: [],
    ledgerCharacters: policy.compaction ? policy.ledgerCharacters * share : Number.POSITIVE_INFINITY,
  })
}
