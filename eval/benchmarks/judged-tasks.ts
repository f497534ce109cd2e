import type { Benchmark } from './benchmark.ts'

export function listJudgedTasks({ tasks }: Pick<Benchmark, 'tasks'>): string[] {
  return tasks.filter(task => task.judge.length > 0).map(task => task.name)
}
