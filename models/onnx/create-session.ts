import type { InferenceSession } from 'onnxruntime-node'
import { discardProfile, type Nodes, profileFirstRuns, profileOptions } from './count-ops-by-provider.ts'
import { type Provider, supportedProviders, whyNot } from './device.ts'
import { insideGuard } from './exit-guard.ts'
import type { Opened } from './messages.ts'

interface Opening {
  model: string
  providers: Provider[]
  threads: number
}

export interface RunnableSession {
  session: InferenceSession
  run(feeds: InferenceSession.FeedsType): Promise<InferenceSession.ReturnType>
  ran(): Promise<Nodes | undefined> // after the first run: what really ran where
  close(): Promise<void>
}

export interface Created extends RunnableSession {
  opened: Opened
}

// A thread that waits for the next operation sleeps: spinning takes a quarter of a model's processor time from whatever runs beside it.
const extra = { session: { intra_op: { allow_spinning: '0' } } }

// Worker side: opens a model on the first provider that takes it, and reports which ones refused.
export async function createSession(opening: Opening, marks: Int32Array): Promise<Created> {
  const { InferenceSession, env } = await import('onnxruntime-node')
  env.logLevel = 'fatal'
  const supported = await supportedProviders()
  const refused: Opened['refused'] = []
  for (const provider of opening.providers) {
    const lacking = whyNot(provider, supported)
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
        enableMemPattern: false, // DirectML asks for this; elsewhere each new length of an input would keep a block of its own
        extra,
        ...profile,
      }
      const session = await insideGuard(marks, () => InferenceSession.create(opening.model, options))
      const { inputNames, outputNames } = session
      return {
        ...runnable(session, marks, profile?.profileFilePrefix),
        opened: { provider, inputs: [...inputNames], outputs: [...outputNames], refused },
      }
    } catch (error) {
      if (profile) await discardProfile(profile.profileFilePrefix)
      refused.push({ provider, reason: (error instanceof Error ? error.message : String(error)).split('\n')[0]! })
    }
  }
  throw new Error(refused.map(entry => `${entry.provider}: ${entry.reason}`).join('; '))
}

// With the prefix of its profile, where the session was opened with one.
export function runnable(session: InferenceSession, marks: Int32Array, prefix: string | undefined): RunnableSession {
  const profile = prefix ? profileFirstRuns(session, prefix) : undefined
  let nodes: Promise<Nodes | undefined> | undefined
  return {
    session,
    async run(feeds) {
      const outputs = await insideGuard(marks, () => session.run(feeds))
      profile?.afterRun()
      return outputs
    },
    ran() {
      nodes ??= Promise.resolve(profile?.nodes())
      return nodes
    },
    async close() {
      await session.release()
      if (prefix) await discardProfile(prefix)
    },
  }
}
