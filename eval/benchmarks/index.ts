import { unknownName } from '../../src/core/errors.ts'
import type { Benchmark } from './benchmark.ts'

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
  'video-mme-v2': () => import('./video-mme-v2/index.ts'),
  lvomnibench: () => import('./lvomnibench/index.ts'),
  omnivideobench: () => import('./omnivideobench/index.ts'),
  hourvideo: () => import('./hourvideo/index.ts'),
  minerva: () => import('./minerva/index.ts'),
  egolife: () => import('./egolife/index.ts'),
  egomemreason: () => import('./egomemreason/index.ts'),
  needle: () => import('./needle/index.ts'),
}

export const benchmarkNames = Object.keys(benchmarks)

export async function loadBenchmark(name: string): Promise<Benchmark> {
  const load = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
  if (!load) throw unknownName('benchmark', name, benchmarkNames)
  const { default: benchmark } = await load()
  checkBenchmark(benchmark, name)
  return benchmark
}

export async function allBenchmarks(): Promise<Benchmark[]> {
  return Promise.all(benchmarkNames.map(loadBenchmark))
}

// Reports what types cannot express before anything is asked.
export function checkBenchmark({ name, tasks, judge }: Benchmark, listed: string): void {
  if (name !== listed) throw new Error(`The benchmark "${name}" is listed as "${listed}".`)
  const judged = tasks.filter(task => task.judge.length > 0).map(task => task.name)
  const by = judge ? [judge.task] : []
  if (judged.join() !== by.join())
    throw new Error(`${name}: its tasks name judge's steps for "${judged}", and its judge judges "${by}".`)
}
