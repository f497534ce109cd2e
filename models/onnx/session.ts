import { basename } from 'node:path'
import type { Closable, Host } from '../../src/core/backend.ts'
import type { OpenModel } from './card/card.ts'
import { type LazyModel, lazyModel, type Relief } from './card/lazy-model.ts'
import { countThreads, type OnnxSettings, type Provider } from './device.ts'
import type { Feeds, OnnxJob, Opened, Scan, Scanned } from './messages.ts'
import { countOpsOnce, openOnDevice, reportDevice } from './report-device.ts'
import { Thread } from './thread.ts'

export interface OnnxSession extends OpenModel {
  inputs: string[]
  outputs: string[]
  run(feeds: Feeds, signal?: AbortSignal): Promise<Feeds>
  scan(scan: Scan, signal?: AbortSignal): Promise<Scanned>
  rest(): Promise<void> // gives its memory back until it runs again
  ended(): boolean
  close(): Promise<void>
}

// Opens a model in a worker thread of its own, so that no run of it holds up the event loop.
export async function openOnnxSession(model: string, settings: OnnxSettings, host: Host): Promise<OnnxSession> {
  const name = basename(model)
  const { device } = settings
  const threads = countThreads(settings.threads)
  const thread = new Thread<OnnxJob>('./session-worker', import.meta.url, name)
  const open = (providers: Provider[]): OnnxJob => ({ kind: 'open', model, providers, threads })
  const { provider, refused, inputs, outputs } = await openOnDevice<OnnxJob, Opened>(thread, model, device, open, host)
  const report = reportDevice(name, settings, { provider, refused }, host)
  const first = countOpsOnce(thread, report, host)
  let rests = false
  const ask = (job: OnnxJob, signal?: AbortSignal) =>
    first(async () => {
      if (rests) await thread.ask(open([provider]), signal)
      rests = false
      return thread.ask(job, signal)
    })
  return {
    provider,
    refused,
    inputs,
    outputs,
    run: async (feeds, signal) => (await ask({ kind: 'run', feeds }, signal)) as Feeds,
    scan: async (scan, signal) => (await ask({ kind: 'scan', scan }, signal)) as Scanned,
    async rest() {
      await thread.ask({ kind: 'release' })
      rests = true
    },
    ended: () => thread.ended(),
    close: () => thread.close(),
  }
}

export interface LazySession extends Relief, Closable {
  // The feeds may depend on the names of the model's inputs.
  run(feeds: Feeds | ((inputs: string[]) => Feeds), signal?: AbortSignal): Promise<Feeds>
  restWhile<Result>(work: () => Promise<Result>): Promise<Result> // its thread stays: one that ends leaves memory behind
  close(): Promise<void>
}

// A model that is opened when it is first asked, and closed while nobody asks for long.
export function lazySession(model: string, settings: OnnxSettings, host: Host, idleSeconds?: number): LazySession {
  const { use, ...lazy } = lazyOnnxSession(model, settings, host, idleSeconds)
  return {
    ...lazy,
    restWhile: work =>
      use(async open => {
        await open.rest()
        return work()
      }),
    run: (feeds, signal) => use(open => open.run(typeof feeds === 'function' ? feeds(open.inputs) : feeds, signal)),
  }
}

export function lazyOnnxSession(
  model: string,
  settings: OnnxSettings,
  host: Host,
  idleSeconds?: number,
): LazyModel<OnnxSession> {
  const modelRequest = { name: basename(model), files: [model], device: settings.device, host }
  return lazyModel(modelRequest, device => openOnnxSession(model, { ...settings, device }, host), idleSeconds)
}
