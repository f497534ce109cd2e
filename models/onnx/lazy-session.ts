import type { Closable, Host } from '../../src/core/backend.ts'
import type { OnnxSettings, Provider } from './device.ts'
import { type Feeds, type OnnxSession, openOnnxSession } from './session.ts'

const idle = 180 // seconds without work after which the model leaves the memory

export interface LazySession extends Closable {
  run(feeds: Feeds, signal?: AbortSignal): Promise<Feeds>
  opened(): Promise<OnnxSession>
  provider(): Provider | undefined // the one that runs it, once it has been opened
  close(): Promise<void>
}

// A model that is opened when it is first asked, and closed while nobody asks for long.
export function lazySession(model: string, settings: OnnxSettings, host: Host, idleSeconds = idle): LazySession {
  let session: Promise<OnnxSession> | undefined
  let provider: Provider | undefined
  let timer: NodeJS.Timeout | undefined
  let asked = 0

  const opened = () => {
    session ??= openOnnxSession(model, settings, host).then(
      open => {
        provider = open.provider
        return open
      },
      error => {
        session = undefined
        throw error
      },
    )
    return session
  }
  const close = async () => {
    clearTimeout(timer)
    const closing = session
    session = undefined
    await closing?.then(
      open => open.close(),
      () => {},
    )
  }
  return {
    opened,
    provider: () => provider,
    close,
    async run(feeds, signal) {
      asked++
      clearTimeout(timer)
      try {
        return await (await opened()).run(feeds, signal)
      } finally {
        asked--
        if (asked === 0) timer = setTimeout(close, idleSeconds * 1000).unref()
      }
    },
  }
}
