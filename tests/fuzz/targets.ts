import { unknownName } from '../../src/core/errors.ts'
import type { Target } from './target.ts'

// Every entry point for untrusted bytes, one line each.
const targets: Record<string, () => Promise<{ default: Target }>> = {
  mp4: () => import('./targets/mp4.ts'),
  subtitles: () => import('./targets/subtitles.ts'),
  tar: () => import('./targets/tar.ts'),
  pack: () => import('./targets/pack.ts'),
  zip: () => import('./targets/zip.ts'),
  parquet: () => import('./targets/parquet.ts'),
  benchmarks: () => import('./targets/benchmarks.ts'),
  replies: () => import('./targets/replies.ts'),
  'tool-calls': () => import('./targets/tool-calls.ts'),
}
export const targetNames = Object.keys(targets)

export async function openTarget(name: string): Promise<Target> {
  const load = targets[name]
  if (!load) throw unknownName('target', name, targetNames)
  return (await load()).default
}
