import type { AgentState } from '../../src/core/agent.ts'
import { CheckReply } from '../../src/core/brief.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { mayCallModel } from '../policy/budgets.ts'
import type { DraftSentence } from '../policy/evidence-validator.ts'
import { bornOutByWords } from '../policy/verifier.ts'
import { checkRequest } from '../prompts.ts'
import type { Session } from '../session.ts'
import { askModel } from './ask-model.ts'
import { readJson } from './read-json.ts'

export type Judged = AgentState['verdicts'][number]

// One verdict in a fresh context: the verifier sees the sentence and its rows, and nothing else of the run.
export async function judge(session: Session, state: AgentState, sentence: DraftSentence): Promise<Judged> {
  const { parts } = session
  const unseen = (reason: string): Judged => ({ sentence: sentence.text, verdict: 'unseen', reason })
  if (sentence.cites.length === 0) return unseen('It cites no evidence.')
  if (!parts.policy.verifier) return unseen('Checking was switched off.')
  const rows = citedRows(session, sentence)
  // Where nobody can judge any more, the words of the rows have to bear the sentence out.
  const byWords = (why: string): Judged =>
    bornOutByWords(sentence.text, rows)
      ? { sentence: sentence.text, verdict: 'supported', reason: `${why} The words of its rows bear it out.` }
      : unseen(why)
  const agent = session.state(state, {})
  if (session.stopped() || !mayCallModel(agent, parts.budget, session.elapsed()))
    return byWords('The budget ended before it could be checked.')
  const reply = await askModel(session, 'verifier', share =>
    checkRequest(sentence.text, rows.slice(0, Math.ceil(rows.length * share))),
  )
  if (!reply) return byWords('It could not be checked: the verifier failed.')
  const parsed = CheckReply.safeParse(readJson(reply.text))
  if (!parsed.success) return byWords('The verifier gave no usable verdict.')
  return { sentence: sentence.text, ...parsed.data, reason: parsed.data.reason.slice(0, 500) }
}

export function citedRows(session: Session, sentence: DraftSentence): Evidence[] {
  return sentence.cites.map(id => session.ledger.get(id)).filter(row => row !== undefined)
}
