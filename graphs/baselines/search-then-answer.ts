import type { AgentState } from '../../src/core/agent.ts'
import { callsOf } from '../calls/kinds.ts'
import { runCalls } from '../nodes/act.ts'
import type { InvestigateParts } from '../parts.ts'
import { plainAnswer } from './plain-answer.ts'
import { type PlainNode, runNodes } from './run-nodes.ts'
import { writeOnce } from './write-once.ts'

const hits = 8

// One search with the words of the question, and one answer from what it found: retrieval without a loop or a check.
export default function searchThenAnswer(parts: InvestigateParts): Promise<AgentState> {
  return runNodes(parts, { act: search, draft, answer: plainAnswer })
}

const search: PlainNode = async (session, state) => {
  const { question } = session.parts
  const queries = [question.text, ...(question.options ?? [])].slice(0, session.parts.policy.callsPerRound)
  const calls = queries.flatMap((query, i) =>
    callsOf(session.parts.tools, 'search', `search_${i}`, {
      query: query.slice(0, 500),
      k: i === 0 ? hits : hits / 2,
    }),
  )
  return { agent: await runCalls(session, state.agent, calls, 0), round: 1, next: 'draft' }
}

const draft: PlainNode = async (session, state) => ({ draft: await writeOnce(session, state), next: 'answer' })
