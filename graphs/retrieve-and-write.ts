import type { Blueprint } from './compile.ts'
import agent from './investigate.ts'
import { draft } from './nodes/draft.ts'
import { phrase } from './nodes/phrase.ts'

const { draft: _, ...nodes } = agent.nodes

// For models that are too small to plan, to write JSON and to check: rules do that as they do without a model, and the model puts what they
// found into its own words, in one call.
export default {
  ...agent,
  nodes: { ...nodes, draft: { work: draft, next: ['phrase'] }, phrase: { work: phrase, next: ['check'] } },
  parts: given => {
    const { rules = given.planner, writer } = given
    return { ...given, planner: rules, writer: rules, verifier: rules, phraser: writer }
  },
} satisfies Blueprint
