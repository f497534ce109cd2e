import { type AskedBy, type AskedByKind, splitAskedBy } from '../../../data/asked-by.ts'
import type { Answerer } from './answerer.ts'

// A file and a line for each.
const answerers: Record<AskedByKind, () => Promise<{ default: Answerer }>> = {
  longtake: () => import('./longtake.ts'),
  alone: () => import('./alone.ts'),
  host: () => import('./host.ts'),
  acp: () => import('./acp.ts'),
  'mcp-host': () => import('./mcp-host.ts'),
}

export async function loadAnswerer(by: AskedBy): Promise<Answerer> {
  return (await answerers[splitAskedBy(by).kind]()).default
}
