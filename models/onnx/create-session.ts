import type { InferenceSession } from 'onnxruntime-node'
import { countOps, discardProfile, type Nodes, profileOptions } from './count-ops-by-provider.ts'
import { whyNoCuda } from './cuda-libraries.ts'
import type { Provider } from './device.ts'
import { insideGuard } from './exit-guard.ts'
import type { Opened } from './messages.ts'

export interface Opening {
  model: string
  providers: Provider[]
  threads: number
}

export interface Created {
  session: InferenceSession
  opened: Opened
  ran(): Promise<Nodes | undefined> // after the first run: what really ran where
}

// Worker side: opens a model on the first provider that takes it, and reports which ones refused.
export async function createSession(opening: Opening, marks: Int32Array): Promise<Created> {
  const { InferenceSession, env } = await import('onnxruntime-node')
  env.logLevel = 'fatal'
  const refused: Opened['refused'] = []
  for (const provider of opening.providers) {
    const lacking = provider === 'cuda' ? whyNoCuda() : undefined
    if (lacking) {
      refused.push({ provider, reason: lacking })
      continue
    }
    // The CPU takes every operation; for other providers a profile shows how many they took.
    const profile = provider === 'cpu' ? undefined : profileOptions()
    try {
      const options = {
        executionProviders: [provider],
        intraOpNumThreads: opening.threads,
        interOpNumThreads: 1,
        ...profile,
      }
      const session = await insideGuard(marks, () => InferenceSession.create(opening.model, options))
      const { inputNames, outputNames } = session
      let nodes: Promise<Nodes | undefined> | undefined
      return {
        session,
        opened: { provider, inputs: [...inputNames], outputs: [...outputNames], refused },
        ran: () => {
          nodes ??= profile ? countOps(session, profile.profileFilePrefix) : Promise.resolve(undefined)
          return nodes
        },
      }
    } catch (error) {
      if (profile) await discardProfile(profile.profileFilePrefix)
      refused.push({ provider, reason: (error instanceof Error ? error.message : String(error)).split('\n')[0]! })
    }
  }
  throw new Error(refused.map(entry => `${entry.provider}: ${entry.reason}`).join('; '))
}
