import type { Draft } from '../../src/core/brief.ts'
import type { ChatRequest } from '../../src/core/chat.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import { askModel } from '../asking/ask-model.ts'
import { mayCallModel } from '../asking/budget.ts'
import { writeRequest } from '../prompts/writer.ts'
import type { AgentSession } from '../session.ts'
import type { RunState } from '../state.ts'

// One call of the writer over the ledger as it is.
export async function writeOnce(session: AgentSession, state: RunState): Promise<Draft | undefined> {
  const { budget, question } = session.parts
  if (session.stopped() || !mayCallModel(session.usage(), budget)) return undefined
  const reply = await askModel(session, 'writer', () => requestOf(session, state))
  return reply ? readDraft(reply.text, question.options) : undefined
}

export function requestOf(session: AgentSession, state: RunState): ChatRequest {
  const { index } = session.parts
  return writeRequest({
    state: session.now(state),
    turns: session.turns,
    coverage: index.coverage,
    overview: index.overview,
    hints: [],
    lists: new Set(),
    ledgerCharacters: session.lengths().ledger,
  })
}
