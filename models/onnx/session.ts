import { basename } from 'node:path'
import type { Closable, Host } from '../../src/core/backend.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { resourceFault } from '../../src/core/machine/resource-fault.ts'
import { mends, type OnnxSettings, type Provider, providersFor } from './device.ts'
import type { Feeds, Opened, Scan, Scanned } from './messages.ts'
import { readBackOnce, tellWhere } from './tell-where.ts'
import { Thread } from './thread.ts'

export type { Feeds, OnnxTensor, Scan, Scanned } from './messages.ts'

export interface OnnxSession extends Closable {
  provider: Provider // the one that really runs
  inputs: string[]
  outputs: string[]
  run(feeds: Feeds, signal?: AbortSignal): Promise<Feeds>
  scan(scan: Scan, signal?: AbortSignal): Promise<Scanned>
  ended(): boolean
  close(): Promise<void>
}

// Opens a model in a worker thread of its own, so that no run of it holds up the event loop.
export async function openOnnxSession(model: string, settings: OnnxSettings, host: Host): Promise<OnnxSession> {
  const name = basename(model)
  const thread = new Thread('./session-worker', import.meta.url, name)
  const opened = await open(thread, model, settings, host)
  tellWhere(name, settings.device, opened, host)
  const first = readBackOnce(thread, name, settings.device, opened.provider, host)
  return {
    provider: opened.provider,
    inputs: opened.inputs,
    outputs: opened.outputs,
    run: (feeds, signal) => first(async () => (await thread.ask({ kind: 'run', feeds }, signal)) as Feeds),
    scan: (scan, signal) => first(async () => (await thread.ask({ kind: 'scan', scan }, signal)) as Scanned),
    ended: () => thread.ended(),
    close: () => thread.close(),
  }
}

async function open(thread: Thread, model: string, settings: OnnxSettings, host: Host): Promise<Opened> {
  const providers = providersFor(settings.device)
  try {
    const job = { kind: 'open' as const, model, providers, threads: settings.threads }
    return (await thread.ask(job, host.signal)) as Opened
  } catch (cause) {
    await thread.close()
    host.signal.throwIfAborted()
    const refused = resourceFault(cause, `${basename(model)} cannot be opened`)
    if (refused) throw refused
    const message = `${model} cannot be opened on ${settings.device}: ${errorText(cause)}`
    throw new UsageError(message, { hint: mends[providers.at(-1) ?? 'cpu'], cause })
  }
}
