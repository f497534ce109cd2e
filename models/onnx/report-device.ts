import { type Host, placeText, type RanOn } from '../../src/core/backend.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { resourceFault } from '../../src/core/machine/resource-fault.ts'
import { type Nodes, nodesText } from './count-ops-by-provider.ts'
import { countThreads, type Device, fixes, type OnnxSettings, type Provider, providersFor } from './device.ts'
import type { Opened } from './messages.ts'
import type { Thread } from './thread.ts'

// Opens a model in a thread on the first provider that takes it. Where none does, the thread is closed.
export async function openOnDevice<Job extends { kind: string }, Result>(
  thread: Thread<Job>,
  model: string,
  device: Device,
  job: (providers: Provider[]) => Job,
  host: Host,
): Promise<Result> {
  const providers = providersFor(device)
  try {
    return (await thread.ask(job(providers), host.signal)) as Result
  } catch (cause) {
    await thread.close()
    host.signal.throwIfAborted()
    const refused = resourceFault(cause, `${model} cannot be opened`)
    if (refused) throw refused
    const message = `${model} cannot be opened on ${device}: ${errorText(cause)}`
    throw new UsageError(message, { hint: fixes[providers.at(-1) ?? 'cpu'], cause })
  }
}

// Reports where a model was opened: to the person, where it was left to us; to the records always.
export function reportDevice(
  model: string,
  { device, threads, precision }: OnnxSettings,
  { provider, refused }: Pick<Opened, 'provider' | 'refused'>,
  host: Host,
): RanOn {
  const why = refused.map(entry => ` (${entry.provider} cannot: ${entry.reason})`).join('')
  const report = {
    model,
    device,
    provider,
    threads: countThreads(threads),
    ...(precision && precision !== 'auto' && { precision }),
  }
  if (device === 'auto') host.say(`${model} runs on ${placeText(report)}${why}`)
  host.ran?.(report)
  return report
}

// After the first run on another device than the processor, reports how many operations ran where.
export function countOpsOnce<Job extends { kind: string }>(
  thread: Thread<Job>,
  report: RanOn,
  host: Host,
): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const { model, provider } = report
  let reported = provider === 'cpu'
  return async run => {
    const result = await run()
    if (reported) return result
    reported = true
    const nodes = (await thread.ask({ kind: 'ran' } as Job)) as Nodes | undefined
    if (!nodes) return result
    host.ran?.({ ...report, operations: nodes })
    if (Object.keys(nodes).some(place => place !== provider)) host.say(`${model} ran on ${nodesText(nodes)}`)
    return result
  }
}
