import { type Backend, type Host, resolvedSettings } from '../../src/core/backend.ts'

export const never = new AbortController().signal

// A host without a folder, for backends that keep nothing.
export function testHost(environment: Host['environment'] = {}, said: string[] = []): Host {
  return { folder: '', environment, signal: new AbortController().signal, say: line => said.push(line) }
}

// Opens a backend the way a family does, with quick second tries.
export async function openBackend<Service, Settings>(
  backend: Backend<Service, Settings>,
  settings: object,
  host = testHost(),
): Promise<Service> {
  const given = { limits: { backoffSeconds: 0.01 }, ...settings }
  return backend.open(await resolvedSettings('test', 'test', backend, given, host), host)
}

const closing: { close?(): Promise<void> }[] = []

// Remembers what a test has opened; `closeAll` closes it, the last first.
export function closeLater<Thing extends { close?(): Promise<void> }>(thing: Thing): Thing {
  closing.push(thing)
  return thing
}

export async function closeAll(): Promise<void> {
  for (const thing of closing.splice(0).reverse()) await thing.close?.()
}
