import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe } from 'vitest'
import { type BackendFamily, backendSettings, type Closable, type Host } from '../../src/core/backend.ts'

export const host: Host = {
  folder: tmpdir(),
  environment: process.env,
  signal: new AbortController().signal,
  say() {},
}

export interface Case {
  settings?: unknown // where a backend cannot do without any
  skip?: string // why it cannot be tried here
}

// One suite for every backend of a family. A backend whose needs are not met here is skipped, and its name says why.
export async function eachBackend<Service extends Closable>(
  family: BackendFamily<Service>,
  cases: Record<string, Case>,
  suite: (service: () => Service, name: string) => void,
): Promise<void> {
  for (const name of family.names) {
    const { settings, skip } = cases[name] ?? {}
    const missing = skip ?? (await missingNeed(family, name, settings))
    describe.skipIf(missing !== undefined)(missing ? `${name} (skipped: ${missing})` : name, () => {
      let service: Service | undefined
      beforeAll(async () => {
        service = await family.open(name, settings, host)
      })
      afterAll(() => service?.close?.())
      suite(() => {
        if (!service) throw new Error(`${name} is not open`)
        return service
      }, name)
    })
  }
}

async function missingNeed(
  family: BackendFamily<unknown>,
  name: string,
  settings: unknown,
): Promise<string | undefined> {
  const backend = await family.load(name)
  const needs = backend.needs?.(backendSettings(family.role, name, backend, settings)) ?? []
  for (const need of needs) if (!(await need.met(host))) return `${need.name} is not there`
}
