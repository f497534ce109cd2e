import type { BaseChannel, BaseCheckpointSaver, LangGraphRunnableConfig } from '@langchain/langgraph'
import type { Budget } from '../src/core/agent.ts'
import type { ChatModel } from '../src/core/chat.ts'
import { UsageError } from '../src/core/errors.ts'
import type { PolicySettings } from '../src/core/settings.ts'
import { understand } from './nodes/understand.ts'
import type { GraphParts } from './parts.ts'
import { openPolicies } from './policies.ts'
import { AgentSession, type NamedPolicy } from './session.ts'
import { channels, type Done, type RunState } from './state.ts'

export type LangGraph = typeof import('@langchain/langgraph')

// A way to answer a question about an indexed video: its nodes in their order, each with those that may come next.
export interface Blueprint {
  nodes: Record<string, { work: Work; next: readonly string[] }>
  policies(given: PolicySettings): Partial<PolicySettings> // that hold in it
  parts?(given: GraphParts): GraphParts // in place of those that are given
  withoutIndex?: true // it works on a video of which nothing is known but the file
  sees?: true // its planner is shown pictures
  unlimited?: Budget // where no policy holds the limits
  onBegin?(session: AgentSession): void // before its first node
}

type Work = (session: AgentSession, state: RunState) => Promise<Done>

// What a node works with.
export interface PreparedParts {
  parts: GraphParts
  policies: NamedPolicy[]
}

export function refuseBlind({ sees }: Blueprint, { id, accepts }: Pick<ChatModel, 'id' | 'accepts'>): void {
  if (!sees || accepts.has('image')) return
  throw new UsageError(`This graph shows pictures to the planner, and ${id} takes none.`, {
    hint: 'Set models.planner to a model that sees, as --model ollama/qwen3-vl:8b does, or ask with another graph.',
  })
}

// Called by each node: in the LangGraph of a user (longtake/graph) the next one may be another process's.
export type OpenParts = (state: RunState) => Promise<PreparedParts>

type Channels = { [Name in keyof RunState]: BaseChannel<RunState[Name]> }

// The graph of a blueprint. A node works on the state with the parts that it is given; what it adds to the state, and the node that
// it chooses, is all that it leaves behind.
export function compile(langgraph: LangGraph, blueprint: Blueprint, open: OpenParts, saver?: BaseCheckpointSaver) {
  const { Annotation, Command, END, START, StateGraph } = langgraph
  const first = Object.keys(blueprint.nodes)[0] ?? END
  const begin: Work = (session, state) => {
    blueprint.onBegin?.(session)
    return understand(session, state)
  }
  const node = (name: string, work: Work, chooses: boolean) => {
    return async (state: RunState, config: LangGraphRunnableConfig) => {
      const { parts, policies } = await open(state)
      const session = new AgentSession(parts, policies, state, config)
      try {
        // "understand" is not a step; a run of an older version has lost its count.
        const step = Math.max(1, Number(config.metadata?.langgraph_step) - 1)
        if (name !== 'understand') session.watch({ type: 'step', step, name, round: state.round })
        const { update, goto } = await work(session, state)
        const news = Object.entries({ ...update, ...session.news() }).filter(([, value]) => value !== undefined)
        return chooses ? new Command({ goto, update: news }) : Object.fromEntries(news)
      } finally {
        session.meter.close()
      }
    }
  }
  const spec = Object.fromEntries(Object.entries(channels).map(([name, one]) => [name, Annotation(one as Loose)]))
  const graph = new StateGraph<Channels, RunState, Partial<RunState>, string>(Annotation.Root(spec as Channels))
  const nodes = { understand: { work: begin, next: [first] }, ...blueprint.nodes }
  graph.addEdge(START, 'understand')
  for (const [name, { work, next }] of Object.entries(nodes)) {
    const chooses = next.length > 1
    graph.addNode(name, node(name, work, chooses), { ends: chooses ? [...next] : [] })
    if (!chooses) graph.addEdge(name, next[0] ?? END)
  }
  return graph.compile({ checkpointer: saver })
}

type Loose = { default(): unknown; reducer(now: unknown, more: unknown): unknown }

// A helper is offered to language models only, and never to a helper.
function maySend({ helper, planner }: GraphParts): boolean {
  return helper !== undefined && planner.accepts.has('text')
}

export async function prepareParts(blueprint: Blueprint, given: GraphParts): Promise<PreparedParts> {
  refuseBlind(blueprint, given.planner)
  const graphParts = blueprint.parts?.(given) ?? given
  const parts = {
    ...graphParts,
    tools: graphParts.tools.filter(tool => tool.sends !== 'helper' || maySend(graphParts)),
  }
  const policies = await openPolicies(blueprint.policies(parts.policy))
  const budget = parts.policy.budgets ? parts.budget : (blueprint.unlimited ?? parts.budget)
  return { parts: { ...parts, budget }, policies }
}
