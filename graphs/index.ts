import type { AgentState } from '../src/core/agent.ts'
import { unknownName } from '../src/core/errors.ts'
import { resolve } from '../src/text/conversation/resolve.ts'
import type { InvestigateParts } from './parts.ts'

// One way to answer a question about an indexed video, from the same parts to the same kind of state.
export type Graph = (parts: InvestigateParts) => Promise<AgentState>

// All graphs by name: the agent, and what it is compared with. A graph is one file and one line here.
export const graphs: Record<string, () => Promise<{ default: Graph }>> = {
  investigate: () => import('./investigate.ts'),
  'single-pass': () => import('./baselines/single-pass.ts'),
  'search-then-answer': () => import('./baselines/search-then-answer.ts'),
  'longshot-v2': () => import('./baselines/longshot-v2.ts'),
}

export const graphNames = Object.keys(graphs)

// A name that is wrong is told before any work is done.
export function checkGraph(name: string): void {
  if (!Object.hasOwn(graphs, name)) throw unknownName('graph', name, graphNames)
}

// Loading a graph and LangGraph waits for hundreds of files: it goes on while a video is opened. A fault of it is told by openGraph.
export function preloadGraph(name: string): void {
  const load = async () => Promise.all([graphs[name](), import('@langchain/langgraph')])
  load().catch(() => {})
}

export async function openGraph(name: string): Promise<Graph> {
  checkGraph(name)
  return inConversation((await graphs[name]()).default)
}

// Before anything is planned, what a question says of earlier turns is put into the question itself.
function inConversation(graph: Graph): Graph {
  return async parts => {
    if (parts.resume || !parts.turns?.length) return graph(parts)
    const { question, turns } = await resolve(parts.question, parts.turns, parts.index, parts.context.evidence)
    const { asked, references } = question.refers ?? {}
    if (asked && references) parts.watch({ type: 'reference', asked, question: question.text, references })
    return graph({ ...parts, question, turns })
  }
}
