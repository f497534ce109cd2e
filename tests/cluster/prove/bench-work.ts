import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../../../src/core/json.ts'
import { runLongtake } from './start.ts'
import type { ProofWork } from './work.ts'

// A benchmark over videos that it makes itself: its scores, its replies, and what is known of each question.
export function benchWork(
  name: string,
  { data, questions, out }: { data: string; questions: number; out: string },
): ProofWork {
  const words = ['bench', 'run', name, '--data', data, '--limit', String(questions)]
  return {
    words: () => [
      ...words,
      '--queue',
      ...(existsSync(join(out, 'environment.json')) ? ['--resume', out] : ['--out', out]),
    ],
    async alone(start) {
      const folder = join(start.home, 'run')
      await runLongtake([...words, '--out', folder], start)
      return filesOfRun(folder)
    },
    together: async () => filesOfRun(out),
  }
}

export async function makeBench(
  name: string,
  seed: number,
  folder: string,
  start: Parameters<typeof runLongtake>[1],
): Promise<void> {
  await runLongtake(
    ['bench', 'make', name, '--seed', String(seed), '--minutes', '2', '--videos', '2', '--out', folder],
    start,
  )
}

// When and how fast a question was answered is another matter each time.
function filesOfRun(folder: string): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const name of ['scores.json', 'replies.jsonl'])
    if (existsSync(join(folder, name))) hashes.set(name, contentHash(readFileSync(join(folder, name))))
  const samples = join(folder, 'samples.jsonl')
  for (const line of existsSync(samples) ? readFileSync(samples, 'utf8').split('\n').filter(Boolean) : []) {
    const { id, ...sample } = JSON.parse(line, (key, value) =>
      key === 'seconds' || key === 'finished' ? undefined : value,
    )
    const again = hashes.has(`samples.jsonl ${id}`) ? ' again' : ''
    hashes.set(`samples.jsonl ${id}${again}`, contentHash(sample))
  }
  return hashes
}
