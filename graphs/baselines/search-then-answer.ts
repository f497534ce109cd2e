import { callsOf } from '../calls/kinds.ts'
import { runCalls } from '../nodes/act.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { plainAnswer } from './plain-answer.ts'
import { plainGraph } from './plain-graph.ts'
import { writeOnce } from './write-once.ts'

const hits = 8

// One search with the words of the question, and one answer from what it found: retrieval without a loop or a check.
export default plainGraph({
  act: { work: search, next: ['draft'] },
  draft: { work: draft, next: ['answer'] },
  answer: { work: plainAnswer, next: [] },
})

async function search(session: AgentSession, state: RunState): Promise<Done> {
  const { question } = session.parts
  const queries = [question.text, ...(question.options ?? [])].slice(0, session.parts.policy.callsPerRound)
  const calls = queries.flatMap((query, i) =>
    callsOf(session.parts.tools, 'search', `search_${i}`, {
      query: query.slice(0, 500),
      k: i === 0 ? hits : hits / 2,
    }),
  )
  return { update: { ...(await runCalls(session, state, calls, 0)), round: 1 } }
}

async function draft(session: AgentSession, state: RunState): Promise<Done> {
  return { update: { written: await writeOnce(session, state) } }
}
