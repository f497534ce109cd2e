import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { AgentRequest, Benchmark } from '../../benchmarks/benchmark.ts'
import type { AskedBy } from '../../data/asked-by.ts'
import type { Sample } from '../../data/sample.ts'

// A benchmark under the options of a run, which say what questions have in common.
export function askedWith(benchmark: Benchmark, options: Record<string, unknown>): Benchmark & Asking {
  return {
    ...benchmark,
    ...benchmark.under?.(options),
    shares: task => benchmark.frames.shares?.(task, options) ?? task,
  }
}

interface Asking extends Pick<Benchmark, 'asks'> {
  shares?(task: string): string // the task whose request a model alone is sent for this one too
}

// What is asked about a sample, for the tasks that are wanted. A model alone gets each task as a request of its own.
export function buildAsks(
  benchmark: Asking,
  sample: Sample,
  tasks: ReadonlySet<string>,
  by: AskedBy = 'longtake',
): AgentRequest[] {
  const asks = benchmark.asks(sample)
  if (by === 'alone') {
    const possible = new Set(asks.flatMap(ask => Object.keys(ask.replies)))
    const { video, question } = sample
    const { shares = task => task } = benchmark
    const requests = groupBy(
      [...tasks].filter(task => possible.has(task)),
      shares,
    )
    return [...requests].map(([name, served]) => ({
      name,
      video,
      question,
      replies: Object.fromEntries(served.map(task => [task, ({ answer }) => answer.text])),
    }))
  }
  return asks.flatMap(ask => {
    const replies = Object.fromEntries(Object.entries(ask.replies).filter(([task]) => tasks.has(task)))
    return Object.keys(replies).length > 0 ? [{ ...ask, replies }] : []
  })
}
