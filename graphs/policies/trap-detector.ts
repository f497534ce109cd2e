import type { PremiseVerdict } from '../../src/core/agent.ts'
import { isUnheardOf, premiseRows, trapsIn } from '../../src/text/question/traps.ts'
import { contentWords, keyWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { quote } from '../answer/quotes.ts'
import { callsOf } from '../calls/kinds.ts'
import { tryClaim } from '../nodes/judge.ts'
import type { AgentSession, Policy } from '../session.ts'

// Where rules write: what a question takes for granted is searched for by itself and tried; an option that cannot be true is never
// chosen. See "Traps" in docs/agent.md.
export default {
  calls: (session, { steps }) =>
    claimsOf(session)
      .flatMap(claim => callsOf(session.parts.tools, 'search', 'premise', { query: keyWords(claim), k: 6 }))
      .filter(call => !steps.some(step => queryOf(step.input) === queryOf(call.arguments))),
  async weigh(session, _state, round) {
    const [claim] = round.length > 0 ? [] : claimsOf(session)
    const premise = claim === undefined ? undefined : await tryPremise(session, claim)
    return premise ? { premise } : {}
  },
  // "Why was it closed?" where the video says that it stayed open: that is said first.
  finish({ ledger, parts: { index, question } }, { weighed }) {
    const { premise } = weighed ?? {}
    const [row] = premise?.cites.flatMap(id => ledger.get(id) ?? []) ?? []
    if (premise?.verdict === 'contradicted' && row && !question.options) {
      const text = `The question takes for granted that "${premise.claim}", but the video says otherwise: ${quote(row)}`
      return { first: { text, cites: [row.id], verdict: 'supported' } }
    }
    if (premise?.verdict !== 'unseen' || !isUnheardOf(premise.claim, [...ledger.values(), ...index.evidence()]))
      return {}
    return {
      degraded: [`Nothing that was found bears out what the question takes for granted: "${premise.claim}".`],
    }
  },
} satisfies Policy

function claimsOf({ parts: { question, index, writer } }: AgentSession): string[] {
  const traps = writer.accepts.has('text') ? [] : trapsIn(question, index.coverage.duration)
  return traps.flatMap(trap => (trap.kind === 'leading' || trap.kind === 'premise' ? [trap.claim] : []))
}

async function tryPremise(session: AgentSession, claim: string): Promise<PremiseVerdict | undefined> {
  const rows = premiseRows(claim, [...session.ledger.values()])
  if (rows.length === 0) return { claim, verdict: 'unseen', reason: 'no row speaks of it', cites: [] }
  const reply = await tryClaim(session, claim, rows)
  if (!reply) return undefined
  const cites = rows.map(row => row.id)
  if (reply.verdict !== 'contradicted') return { claim, ...reply, cites }
  // Only a row that speaks of the same thing can say the opposite of it.
  const against = rows.filter(row => coverage(contentWords(claim), row.text) >= 0.6).slice(0, 1)
  return against.length > 0
    ? { claim, ...reply, cites: against.map(row => row.id) }
    : { claim, verdict: 'unseen', reason: reply.reason, cites }
}

function queryOf(input: unknown): unknown {
  return (input as { query?: unknown } | undefined)?.query
}
