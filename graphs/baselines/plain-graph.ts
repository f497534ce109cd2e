import type { Blueprint } from '../compile.ts'

// What all baselines share: none of the policies of the agent holds in them. The limits, and the rule that a time comes from the
// ledger, are no policies and stay.
export function plainGraph(nodes: Blueprint['nodes'], parts?: Blueprint['parts']): Blueprint {
  return {
    nodes,
    policies: ({ compaction }) => ({ compaction }),
    parts,
    begin(session) {
      const { overview, coverage } = session.parts.index
      session.watch({ type: 'overview', overview, coverage })
    },
  }
}
