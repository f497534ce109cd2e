import { z } from 'zod'
import { roles } from '../app/models/families.ts'
import type { BackendOutline } from '../config/json-schema.ts'
import type { Backend, Family } from '../core/backend.ts'

// Every backend of every role with what it takes, without opening any.
export async function backendOutlines(): Promise<Record<string, BackendOutline[]>> {
  const entries = await Promise.all(
    Object.entries(roles).map(async ([role, load]) => {
      const family = (await load()) as Family<unknown>
      return [role, await Promise.all(family.names.map(name => outlineOf(name, family)))] as const
    }),
  )
  return Object.fromEntries(entries)
}

async function outlineOf(name: string, family: Family<unknown>): Promise<BackendOutline> {
  const backend = (await family.load(name)) as Backend<unknown>
  const settings = z.toJSONSchema(backend.settings, { io: 'input', unrepresentable: 'any' })
  return { name, summary: backend.summary, settings: settings as BackendOutline['settings'] }
}
