import type { AgentState } from '../src/core/agent.ts'
import { emptyUsage } from '../src/core/chat.ts'
import { act } from './nodes/act.ts'
import { answer } from './nodes/answer.ts'
import { check } from './nodes/check.ts'
import { draft } from './nodes/draft.ts'
import { overview } from './nodes/overview.ts'
import { plan } from './nodes/plan.ts'
import type { Change, RunState } from './nodes/run-state.ts'
import type { InvestigateParts } from './parts.ts'
import { budgetOf } from './policy/budgets.ts'
import { Session } from './session.ts'
import { untraced } from './untraced.ts'

export type { InvestigateParts } from './parts.ts'

// Answers one question about one indexed video: overview -> plan -> act -> check -> answer. Always ends with an answer.
export default async function investigate(given: InvestigateParts): Promise<AgentState> {
  const parts = { ...given, budget: budgetOf(given.budget, given.policy.budgets) }
  const session = new Session(parts)
  const graph = await compile(session)
  // Each round is two nodes, plus the second look and the ends.
  const recursionLimit = 2 * parts.budget.steps + 20
  const start = parts.resume ?? freshRun(session)
  try {
    const end = await graph.invoke({ run: start }, { ...(await untraced()), recursionLimit })
    return end.run.agent
  } finally {
    session.close()
  }
}

type Node = (session: Session, state: RunState) => Promise<Change>

async function compile(session: Session) {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
  const Channels = Annotation.Root({ run: Annotation<RunState> })
  let steps = 0
  const node = (name: RunState['next'], work: Node) => async (state: typeof Channels.State) => {
    session.parts.watch({ type: 'step', step: ++steps, name, round: state.run.round })
    const run = { ...state.run, ...(await work(session, state.run)) }
    await session.keep(name, run)
    return { run }
  }
  const next = (state: typeof Channels.State) => state.run.next
  return new StateGraph(Channels)
    .addNode('overview', node('overview', overview))
    .addNode('plan', node('plan', plan))
    .addNode('act', node('act', act))
    .addNode('draft', node('draft', draft))
    .addNode('check', node('check', check))
    .addNode('answer', node('answer', answer))
    .addConditionalEdges(START, next, ['overview', 'plan', 'act', 'draft', 'check', 'answer'])
    .addEdge('overview', 'plan')
    .addConditionalEdges('plan', next, ['plan', 'act', 'draft'])
    .addEdge('act', 'plan')
    .addEdge('draft', 'check')
    .addConditionalEdges('check', next, ['plan', 'answer'])
    .addEdge('answer', END)
    .compile()
}

// A run before its first node.
export function freshRun(session: Session): RunState {
  const { parts } = session
  return {
    agent: session.state(parts.from ?? freshState(parts), { stop: undefined, answer: undefined }),
    round: parts.from ? 1 + Math.max(-1, ...parts.from.steps.map(step => step.round)) : 0,
    calls: [],
    hints: [],
    dropped: [],
    secondLooks: 0,
    idle: 0,
    forced: [],
    next: 'overview',
  }
}

function freshState(parts: InvestigateParts): AgentState {
  return {
    question: parts.question,
    turns: parts.turns ?? [],
    route: '',
    steps: [],
    evidence: [],
    verdicts: [],
    spent: emptyUsage,
  }
}
