import type { AgentState, Budget } from '../src/core/agent.ts'
import { emptyUsage } from '../src/core/chat.ts'
import { act } from './nodes/act.ts'
import { answer } from './nodes/answer.ts'
import { check } from './nodes/check.ts'
import { draft } from './nodes/draft.ts'
import { overview } from './nodes/overview.ts'
import { plan } from './nodes/plan.ts'
import { type Change, type RunState, withMakers } from './nodes/run-state.ts'
import type { InvestigateParts } from './parts.ts'
import { openPolicies } from './policies.ts'
import { Session } from './session.ts'
import { untraced } from './untraced.ts'

export type { InvestigateParts } from './parts.ts'

// Answers one question about one indexed video: overview -> plan -> act -> check -> answer. Always ends with an answer.
export default async function investigate(given: InvestigateParts): Promise<AgentState> {
  const policies = await openPolicies(given.policy)
  const budget = policies.reduce((usual, policy) => policy.budget?.(given.budget) ?? usual, unlimited)
  const parts = { ...given, budget }
  const session = new Session(parts, policies)
  const graph = await compile(session)
  // Each round is two nodes, plus the second look and the ends.
  const recursionLimit = 2 * parts.budget.steps + 20
  const start = parts.resume ? withMakers(parts.resume) : freshRun(session)
  try {
    const end = await graph.invoke({ run: start }, { ...(await untraced()), recursionLimit })
    return end.run.agent
  } finally {
    session.close()
  }
}

// Where no policy holds the limits: a run still ends.
const unlimited: Budget = {
  steps: 64,
  tokens: Number.MAX_SAFE_INTEGER,
  frames: Number.MAX_SAFE_INTEGER,
  seconds: 86_400,
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
