import type { Closable, Host } from '../../src/core/backend.ts'
import type { OnnxSettings, Provider } from './device.ts'
import { type Feeds, openOnnxSession } from './session.ts'
import { whileUsed } from './while-used.ts'

export interface LazySession extends Closable {
  // The feeds may depend on the names of the model's inputs.
  run(feeds: Feeds | ((inputs: string[]) => Feeds), signal?: AbortSignal): Promise<Feeds>
  provider(): Provider | undefined // the one that runs it, once it has been opened
  close(): Promise<void>
}

// A model that is opened when it is first asked, and closed while nobody asks for long.
export function lazySession(model: string, settings: OnnxSettings, host: Host, idleSeconds?: number): LazySession {
  let provider: Provider | undefined
  const session = whileUsed(() => openOnnxSession(model, settings, host), idleSeconds)
  return {
    provider: () => provider,
    close: session.close,
    run: (feeds, signal) =>
      session.use(open => {
        provider = open.provider
        return open.run(typeof feeds === 'function' ? feeds(open.inputs) : feeds, signal)
      }),
  }
}
