import type { Benchmark } from '../../src/core/benchmark.ts'
import { unknownName } from '../../src/core/errors.ts'

// Every benchmark, one line each; loaded when asked for.
const benchmarks: Record<string, () => Promise<{ default: Benchmark }>> = {
  longshot: () => import('./longshot/index.ts'),
  'cg-bench': () => import('./cg-bench/index.ts'),
  allvb: () => import('./allvb/index.ts'),
  infinibench: () => import('./infinibench/index.ts'),
  'videoeval-pro': () => import('./videoeval-pro/index.ts'),
  'video-mme': () => import('./video-mme/index.ts'),
  lvbench: () => import('./lvbench/index.ts'),
  mlvu: () => import('./mlvu/index.ts'),
  longvideobench: () => import('./longvideobench/index.ts'),
  needle: () => import('./needle/index.ts'),
}

export const benchmarkNames = Object.keys(benchmarks)

export async function loadBenchmark(name: string): Promise<Benchmark> {
  if (!Object.hasOwn(benchmarks, name)) throw unknownName('benchmark', name, benchmarkNames)
  return (await benchmarks[name]()).default
}
