import type { PremiseVerdict } from '../../src/core/agent.ts'
import { isUnheardOf, premiseRows, type Trap, trapsIn } from '../../src/text/question/traps.ts'
import { contentWords, keyWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { quote } from '../answer/quotes.ts'
import { callsOf } from '../calls/kinds.ts'
import { tryClaim } from '../nodes/judge.ts'
import type { AgentSession, Policy } from '../session.ts'

// What a question takes for granted is searched for by itself and tried; an option that cannot be true is never chosen. See
// "Traps" in docs/agent.md.
export default {
  traps: trapsOf,
  begin: session => ({ hints: trapsOf(session).map(trapHint) }),
  write: session => ({ hints: trapsOf(session).map(trapHint) }),
  calls: (session, { steps }) =>
    claimsOf(session)
      .flatMap(claim => callsOf(session.parts.tools, 'search', 'premise', { query: keyWords(claim), k: 6 }))
      .filter(call => !steps.some(step => queryOf(step.input) === queryOf(call.arguments))),
  async weigh(session) {
    const [claim] = claimsOf(session)
    const premise = claim === undefined ? undefined : await tryPremise(session, claim)
    return premise ? { premise } : {}
  },
  // "Why was it closed?" where the video says that it stayed open: that is said first.
  correct(session, { weighed }) {
    const { premise } = weighed ?? {}
    if (premise?.verdict !== 'contradicted' || session.parts.question.options) return undefined
    const [row] = session.rows(premise.cites)
    if (!row) return undefined
    const text = `The question takes for granted that "${premise.claim}", but the video says otherwise: ${quote(row)}`
    return { text, cites: [row.id], verdict: 'supported' }
  },
  finish({ ledger, parts: { index } }, { weighed }) {
    const { premise } = weighed ?? {}
    if (premise?.verdict !== 'unseen' || !isUnheardOf(premise.claim, [...ledger.values(), ...index.evidence()]))
      return {}
    return {
      degraded: [`Nothing that was found bears out what the question takes for granted: "${premise.claim}".`],
    }
  },
} satisfies Policy

function trapsOf({ parts: { question, index } }: AgentSession): Trap[] {
  return trapsIn(question, index.coverage.duration)
}

function claimsOf(session: AgentSession): string[] {
  return trapsOf(session).flatMap(trap => (trap.kind === 'leading' || trap.kind === 'premise' ? [trap.claim] : []))
}

// One line a trap, for the planner and the writer.
function trapHint(trap: Trap): string {
  if (trap.kind === 'leading')
    return 'The question suggests its own answer. Do not take it over: look for what speaks against it too.'
  if (trap.kind === 'premise')
    return `The question takes for granted: "${trap.claim}". Make sure that the video bears this out; if it does not, say so.`
  if (trap.kind === 'impossible') return `Option ${trap.option} cannot be true: ${trap.why}.`
  return 'The question asks for what is NOT there. Search for each option; the right one is the one that is not found.'
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
