import type { Tool } from '../src/core/tool.ts'

// What the agent can do to a video, by name; each file is loaded when first asked for.
export const tools: Record<string, () => Promise<{ default: Tool }>> = {
  overview: () => import('./overview.ts'),
  search: () => import('./search.ts'),
  timeline: () => import('./timeline.ts'),
  transcribe: () => import('./transcribe.ts'),
  read_text: () => import('./read-text.ts'),
  look: () => import('./look.ts'),
  listen: () => import('./listen.ts'),
  verify_claim: () => import('./verify-claim.ts'),
}

export async function openTools(names: readonly string[] = Object.keys(tools)): Promise<Tool[]> {
  return Promise.all(names.map(async name => (await tools[name]()).default))
}
