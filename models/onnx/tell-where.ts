import type { Host } from '../../src/core/backend.ts'
import type { Device, Provider } from './device.ts'
import type { Opened } from './messages.ts'
import { type Nodes, nodesText } from './read-back.ts'
import type { Thread } from './thread.ts'

// Tells where a model was opened: the person, where it was left to us; the records always.
export function tellWhere(
  model: string,
  device: Device,
  { provider, refused }: Pick<Opened, 'provider' | 'refused'>,
  host: Host,
): void {
  const why = refused.map(entry => ` (${entry.provider} cannot: ${entry.reason})`).join('')
  if (device === 'auto') host.say(`${model} runs on ${provider}${why}`)
  host.ran?.({ model, device, provider })
}

// After the first run on another device than the processor, what ran there is read back and told.
export function readBackOnce<Job extends { kind: string }>(
  thread: Thread<Job>,
  model: string,
  device: Device,
  provider: Provider,
  host: Host,
): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let told = provider === 'cpu'
  return async run => {
    const result = await run()
    if (told) return result
    told = true
    const nodes = (await thread.ask({ kind: 'ran' } as Job)) as Nodes | undefined
    if (!nodes) return result
    host.ran?.({ model, device, provider, operations: nodes })
    if (Object.keys(nodes).some(place => place !== provider)) host.say(`${model} ran on ${nodesText(nodes)}`)
    return result
  }
}
