import type { ResolvedConfig } from '../../../config/resolve.ts'
import type { RoleChoice } from '../role-families.ts'

const firm = 'investigate'
const open = 'converse'
const capableFrom = 8 // billions of parameters

// The graph that `graph: auto` stands for: capable models answer in one conversation, all others follow the policies of the firm graph.
export function withGraph(config: ResolvedConfig): ResolvedConfig {
  const { settings } = config
  if (settings.graph !== 'auto') return config
  return { ...config, settings: { ...settings, graph: graphFor(settings.models.planner) } }
}

export function graphFor(planner: RoleChoice): string {
  const { backend, model } = planner as { backend: string; model?: unknown }
  if (['rules', 'off', 'simulated'].includes(backend) || typeof model !== 'string') return firm
  return isCapable(model) ? open : firm
}

// By the size that the name says, else by the families whose members are all large.
export function isCapable(model: string): boolean {
  const name = model.toLowerCase()
  const size = /(?<![a-z0-9.])e?(\d+(?:\.\d+)?)b(?![a-z0-9])/.exec(name)?.[1]
  if (size !== undefined) return Number(size) >= capableFrom
  return largeFamilies.test(name)
}

const largeFamilies =
  /(?:^|[/:])(?:gpt-[4-9]|o[1-9](?:-|$)|claude|gemini|grok|glm-[4-9]|kimi|deepseek-(?:v|r|chat|reasoner)|mistral-(?:large|medium)|qwen[\d.]*-(?:max|plus)|command-a)/
