import type { AgentState } from '../../src/core/agent.ts'
import { CheckReply } from '../../src/core/brief.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { OptionVerdict, PremiseVerdict } from '../../src/core/weighed.ts'
import { coverage } from '../../src/text/alike.ts'
import { mayCallModel } from '../policy/budgets.ts'
import { type Clue, cluesOf, rowsOfOption, verdictByWords } from '../policy/hypothesis-clue-verdict.ts'
import { telling } from '../policy/terms.ts'
import { premiseRows, trapsIn } from '../policy/trap-detector.ts'
import { checkRequest } from '../prompts.ts'
import type { Session } from '../session.ts'
import { askModel } from './ask-model.ts'
import { readJson } from './read-json.ts'
import type { RunState } from './run-state.ts'

// Before anything is written: each option, and what the question takes for granted, tried in a fresh context.
export async function weigh(session: Session, state: RunState): Promise<AgentState> {
  const { policy, question } = session.parts
  const options =
    policy.hypothesisClueVerdict && question.options
      ? await Promise.all(
          cluesOf(question)
            .slice(0, 10)
            .map(clue => tryOption(session, state, clue)),
        )
      : undefined
  const premise = policy.trapDetector ? await tryPremise(session, state) : undefined
  if (!options && !premise) return session.state(state.agent, {})
  const weighed = { ...state.agent.weighed, ...(options ? { options } : {}), ...(premise ? { premise } : {}) }
  return session.state(state.agent, { weighed })
}

async function tryOption(session: Session, state: RunState, clue: Clue): Promise<OptionVerdict> {
  const { question, verifier } = session.parts
  const ledger = [...session.ledger.values()]
  const plain = verdictByWords(clue, question, ledger)
  if (!verifier.accepts.has('text')) return plain
  const rows = rowsOfOption(clue, question, ledger)
  if (rows.length === 0) return plain
  const claim = `To the question "${question.text}" the answer is: ${question.options?.[clue.option] ?? ''}`
  const reply = await verdictOf(session, state, claim, rows)
  return reply ? { option: clue.option, clue: clue.words, ...reply, cites: rows.map(row => row.id) } : plain
}

async function tryPremise(session: Session, state: RunState): Promise<PremiseVerdict | undefined> {
  const { question, index } = session.parts
  const trap = trapsIn(question, index.coverage.duration).find(one => one.kind === 'leading' || one.kind === 'premise')
  if (trap?.kind !== 'leading' && trap?.kind !== 'premise') return undefined
  const { claim } = trap
  const rows = premiseRows(claim, [...session.ledger.values()])
  const unseen: PremiseVerdict = { claim, verdict: 'unseen', reason: 'no row speaks of it', cites: [] }
  if (rows.length === 0) return unseen
  const reply = await verdictOf(session, state, claim, rows)
  if (!reply) return undefined
  const cites = rows.map(row => row.id)
  if (reply.verdict !== 'contradicted') return { claim, ...reply, cites }
  // Only a row that speaks of the same thing can say the opposite of it.
  const against = rows.filter(row => coverage(telling(claim), row.text) >= 0.6).slice(0, 1)
  return against.length > 0
    ? { claim, ...reply, cites: against.map(row => row.id) }
    : { claim, verdict: 'unseen', reason: reply.reason, cites }
}

async function verdictOf(
  session: Session,
  state: RunState,
  claim: string,
  rows: Evidence[],
): Promise<CheckReply | undefined> {
  const agent = session.state(state.agent, {})
  if (session.stopped() || !mayCallModel(agent, session.parts.budget, session.elapsed())) return undefined
  const reply = await askModel(session, 'verifier', () => checkRequest(claim, rows))
  const parsed = CheckReply.safeParse(readJson(reply?.text ?? ''))
  return parsed.success ? { ...parsed.data, reason: parsed.data.reason.slice(0, 300) } : undefined
}
