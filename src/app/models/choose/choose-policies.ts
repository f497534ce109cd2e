import defaults from '../../../../graphs/policies/defaults.json' with { type: 'json' }
import type { ResolvedConfig } from '../../../config/resolve.ts'
import { policyNames } from '../../../core/settings.ts'
import type { RoleChoice } from '../role-families.ts'
import { isCapable } from './choose-graph.ts'

type PlannerKind = keyof (typeof defaults)[keyof typeof defaults]

// Policies that nobody has set are as graphs/policies/defaults.json has them for the kind of planner, which scripts/policy-worth.ts
// measures.
export function withPolicies(config: ResolvedConfig): ResolvedConfig {
  const { settings, origins } = config
  const kind = kindOf(settings.models.planner)
  const free = policyNames.filter(name => (origins.get(`policy.${name}`)?.layer ?? 'default') === 'default')
  const policy = { ...settings.policy, ...Object.fromEntries(free.map(name => [name, defaults[name][kind]])) }
  return { ...config, settings: { ...settings, policy } }
}

function kindOf({ backend, model }: RoleChoice): PlannerKind {
  if (['rules', 'off', 'simulated'].includes(backend)) return 'rules'
  return typeof model === 'string' && isCapable(model) ? 'strong' : 'weak'
}
