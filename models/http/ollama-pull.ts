import type { Host } from '../../src/core/backend.ts'
import { RequestLimits } from './limits.ts'
import { askOllama } from './ollama.ts'

export interface OllamaPullProgress {
  status: string // in Ollama's words
  done?: number // bytes of the part that is being fetched
  total?: number
}

// Makes Ollama fetch a model. A broken attempt is retried; Ollama keeps what it has.
export async function pullOllama(
  model: string,
  settings: { url?: string; stallSeconds?: number },
  host: Host,
  onProgress: (progress: OllamaPullProgress) => void,
): Promise<void> {
  const day = 86_400
  const limits = RequestLimits.parse({ attemptSeconds: day, totalSeconds: day, stallSeconds: settings.stallSeconds })
  await askOllama({ model, url: settings.url, limits }, host, async client => {
    for await (const { status, completed, total } of await client.pull({ model, stream: true }))
      onProgress({ status, done: completed, total })
  })
}
