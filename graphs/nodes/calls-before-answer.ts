import type { ToolCall } from '../../src/core/chat.ts'
import { aspectCalls } from '../policy/aspect-writer.ts'
import { exhaustiveScan } from '../policy/exhaustive-scan.ts'
import { clueCalls, cluesOf } from '../policy/hypothesis-clue-verdict.ts'
import { lookBeforeAnswer } from '../policy/look-before-answer.ts'
import { recovery } from '../policy/novelty-guard.ts'
import { keyWords } from '../policy/terms.ts'
import { trapsIn } from '../policy/trap-detector.ts'
import type { Session } from '../session.ts'
import type { RunState } from './run-state.ts'

// What the policies still want looked for when the planner is ready to answer. Each call is made once in a run, so this ends.
export function callsBeforeAnswer(session: Session, state: RunState): ToolCall[] {
  const { policy, tools, index, question } = session.parts
  const agent = session.state(state.agent, {})
  const names = tools.map(tool => tool.name)
  const { duration } = index.coverage
  const wanted = [
    ...(policy.exhaustiveScan ? exhaustiveScan(agent, names, duration) : []),
    ...(policy.lookBeforeAnswer ? lookBeforeAnswer(agent, names, duration) : []),
    ...(policy.aspectWriter ? aspectCalls(agent.weighed?.aspects ?? [], agent.steps, names) : []),
    ...(policy.hypothesisClueVerdict && question.options ? clueCalls(cluesOf(question), agent.steps, names) : []),
    ...(policy.trapDetector ? premiseCalls(session, state) : []),
  ].filter(call => !state.forced.includes(call.id))
  if (wanted.length > 0) return wanted.slice(0, policy.callsPerRound)
  const found = agent.steps.some(step => step.evidence.length > 0)
  return policy.noveltyGuard && !found ? recovery(agent, names, state.forced) : []
}

// What the question takes for granted is searched for by itself.
function premiseCalls(session: Session, state: RunState): ToolCall[] {
  const { question, index, tools } = session.parts
  if (!tools.some(tool => tool.name === 'search')) return []
  return trapsIn(question, index.coverage.duration)
    .flatMap(trap =>
      trap.kind === 'leading' || trap.kind === 'premise'
        ? [{ id: 'premise', name: 'search', arguments: { query: keyWords(trap.claim), k: 6 } }]
        : [],
    )
    .filter(call => !state.agent.steps.some(step => sameQuery(step.input, call.arguments.query)))
}

function sameQuery(input: unknown, query: string): boolean {
  return (input as { query?: unknown } | undefined)?.query === query
}
