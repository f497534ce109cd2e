import { buildCalls } from '../../src/core/calls/kinds.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import { runCalls } from '../nodes/act.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { answerDraft, baselineGraph, writeOnce } from './baseline.ts'

const hits = 8

// One search with the words of the question, and one answer from what it found: retrieval without a loop or a check.
export default baselineGraph({
  act: { work: search, next: ['draft'] },
  draft: { work: async (session, state) => answerDraft(session, await writeOnce(session, state)), next: ['answer'] },
  answer: { work: concludeAnswer, next: [] },
})

async function search(session: AgentSession, state: RunState): Promise<Done> {
  const { question, tools, policy } = session.parts
  const queries = [question.text, ...(question.options ?? [])].slice(0, policy.callsPerRound)
  const calls = queries.flatMap((query, i) =>
    buildCalls(tools, 'search', `search_${i}`, { query: query.slice(0, 500), k: i === 0 ? hits : hits / 2 }),
  )
  return { update: { ...(await runCalls(session, state, calls, 0)), round: 1 } }
}
