import type { InferenceSession } from 'onnxruntime-node'
import type { Provider } from './device.ts'
import { insideGuard } from './exit-guard.ts'
import type { Opened } from './messages.ts'

export interface Opening {
  model: string
  providers: Provider[]
  threads: number
}

// Inside a thread: opens a model on the first provider that takes it, and says which ones refused.
export async function createSession(
  opening: Opening,
  marks: Int32Array,
): Promise<{ session: InferenceSession; opened: Opened }> {
  const { InferenceSession, env } = await import('onnxruntime-node')
  env.logLevel = 'fatal'
  const refused: Opened['refused'] = []
  for (const provider of opening.providers) {
    try {
      const options = { executionProviders: [provider], intraOpNumThreads: opening.threads, interOpNumThreads: 1 }
      const session = await insideGuard(marks, () => InferenceSession.create(opening.model, options))
      const { inputNames, outputNames } = session
      return { session, opened: { provider, inputs: [...inputNames], outputs: [...outputNames], refused } }
    } catch (error) {
      refused.push({ provider, reason: (error instanceof Error ? error.message : String(error)).split('\n')[0] })
    }
  }
  throw new Error(refused.map(entry => `${entry.provider}: ${entry.reason}`).join('; '))
}
