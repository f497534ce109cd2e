import type { Fact, Rating } from '../../src/core/agent.ts'
import { readJson } from '../../src/core/json.ts'
import { fence } from '../../src/core/words/fence.ts'
import { wantsDetail } from '../../src/text/question/wants-detail.ts'
import { keyWords } from '../../src/text/terms.ts'
import { callsOf } from '../calls/kinds.ts'
import { helperRounds } from '../helper/set-aside.ts'
import { askModel } from '../nodes/ask-model.ts'
import { exhausted } from '../nodes/budget.ts'
import { questionBlock } from '../prompt-blocks.ts'
import { compact } from '../prompts/compact.ts'
import { factsRequest, mostFacts, NamedFacts } from '../prompts/facts.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { RunState } from '../state.ts'

// Where a full answer is wanted (`answer.style`; auto: where the question asks to describe, explain, sum up or compare), the
// writer first lists the 3 to 5 facts that an expert would name; each that no row speaks of is searched for, and what still has
// none is left out. Only with a language model as writer, and for open questions.
export default {
  async gather(session, state, run) {
    if (styleOf(session) !== 'full' || state.weighed?.facts || !mayGather(session, state)) return {}
    const named = await nameFacts(session, state)
    const calls = named.flatMap(({ query, cites }, i) =>
      cites.length > 0 ? [] : callsOf(session.parts.tools, 'search', `fact-${i}`, { query, k: 6 }),
    )
    if (calls.length === 0 || !mayGather(session, state)) return { facts: named.map(plain) }
    const { steps, weighed } = await run(calls)
    const found = new Map(calls.map(({ id }, i) => [id, useful(steps[i]?.evidence ?? [], weighed?.ratings)]))
    return {
      facts: named.map((one, i) => ({ fact: one.fact, cites: [...one.cites, ...(found.get(`fact-${i}`) ?? [])] })),
    }
  },
  write(session, { weighed }) {
    const style = styleOf(session)
    if (style === 'short') return { hints: ['Answer in one sentence, two at most.'] }
    const facts = (weighed?.facts ?? []).filter(({ cites }) => cites.length > 0)
    if (style !== 'full') return {}
    if (facts.length === 0) return { hints: [inFull] }
    const lines = facts.map(({ fact, cites }) => `${fact}: ${cites.join(' ')}`).join('\n')
    return {
      hints: [
        `${inFull} An expert would name these facts; leave out what the rows do not bear out:\n${fence('facts', lines)}`,
      ],
    }
  },
} satisfies Policy

const inFull =
  'Answer in full: after the first sentence a sentence or two on each fact that bears on the question, with its names, numbers and particulars.'

// How long the answer is to be; undefined: as the writer has it.
function styleOf({ parts: { writer, question, answerStyle = 'auto' } }: AgentSession): 'short' | 'full' | undefined {
  if (!writer.accepts.has('text') || (question.options && question.options.length > 0)) return undefined
  if (answerStyle === 'auto') return wantsDetail(question) ? 'full' : undefined
  return answerStyle
}

function mayGather(session: AgentSession, { stop, round, steps }: RunState): boolean {
  if (stop !== undefined || session.stopped()) return false
  return exhausted(session.usage(), session.parts.budget, round + helperRounds(steps)) === undefined
}

async function nameFacts(session: AgentSession, state: RunState) {
  const { rows } = compact(state.question.text, [...session.ledger.values()], state.steps, session.lengths().ledger)
  const asked = questionBlock(session.now(state), session.turns)
  const reply = await askModel(session, 'writer', () => factsRequest(asked, rows))
  const named = NamedFacts.safeParse(readJson(reply?.text ?? '')).data?.facts ?? []
  return named.slice(0, mostFacts).map(({ fact, cites, query }) => ({
    fact: fact.slice(0, 200),
    cites: cites.filter(id => session.ledger.has(id)),
    query: query.slice(0, 200) || keyWords(fact),
  }))
}

function plain({ fact, cites }: Fact): Fact {
  return { fact, cites }
}

const mostRows = 4 // of one search

function useful(ids: readonly string[], ratings: readonly Rating[] = []): string[] {
  const low = new Set(ratings.filter(({ score }) => score <= 1).map(({ id }) => id))
  return ids.filter(id => !low.has(id)).slice(0, mostRows)
}
