import type { AgentState } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import { emptyUsage, type ToolCall } from '../../src/core/chat.ts'
import type { InvestigateParts } from '../parts.ts'
import { openPolicies } from '../policies.ts'
import { Session } from '../session.ts'
import { untraced } from '../untraced.ts'

// What travels between the nodes of a baseline.
export interface PlainState {
  agent: AgentState
  round: number
  calls: ToolCall[]
  draft?: Draft
  notes: string[] // what the answer must say of how it came about
  next: string
}

export type PlainNode = (session: Session, state: PlainState) => Promise<Partial<PlainState>>

// Runs nodes as a graph from the first one on; each says which comes next, and "end" ends it. A baseline has no policies of the agent.
export async function runNodes(given: InvestigateParts, nodes: Record<string, PlainNode>): Promise<AgentState> {
  // The limits, and the rule that a time comes from the ledger, are no policies and stay.
  const session = new Session(given, await openPolicies({ compaction: given.policy.compaction }))
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
  const Channels = Annotation.Root({ run: Annotation<PlainState> })
  const names = Object.keys(nodes)
  const graph = new StateGraph(Channels) as unknown as {
    addNode(name: string, work: (state: { run: PlainState }) => Promise<{ run: PlainState }>): void
    addEdge(from: string, to: string): void
    addConditionalEdges(from: string, to: (state: { run: PlainState }) => string, names: string[]): void
    compile(): { invoke(input: { run: PlainState }, options: object): Promise<{ run: PlainState }> }
  }
  let step = 0
  for (const name of names)
    graph.addNode(name, async ({ run }) => {
      session.parts.watch({ type: 'step', step: ++step, name, round: run.round })
      return { run: { ...run, ...(await nodes[name](session, run)) } }
    })
  graph.addEdge(START, names[0])
  for (const name of names)
    graph.addConditionalEdges(name, ({ run }) => (run.next === 'end' ? END : run.next), [...names, END])
  const start: PlainState = { agent: startOf(session), round: 0, calls: [], notes: [], next: names[0] }
  try {
    const options = { ...(await untraced()), recursionLimit: 200 }
    return (await graph.compile().invoke({ run: start }, options)).run.agent
  } finally {
    session.close()
  }
}

function startOf(session: Session): AgentState {
  const { question, turns, index, watch } = session.parts
  watch({ type: 'overview', overview: index.overview, coverage: index.coverage })
  const state = { question, turns: turns ?? [], route: '', steps: [], evidence: [], verdicts: [], spent: emptyUsage }
  return session.state(state, {})
}
