import { type PolicySettings, policyNames } from '../../src/core/policy.ts'
import type { InvestigateParts } from '../parts.ts'

// A baseline runs without the policies of the agent; its limits and the rule that a time comes from the ledger stay.
export function plainParts(given: InvestigateParts): InvestigateParts {
  const off = Object.fromEntries(policyNames.map(name => [name, false])) as Partial<PolicySettings>
  return { ...given, policy: { ...given.policy, ...off, compaction: given.policy.compaction } }
}
