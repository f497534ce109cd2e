import { join } from 'node:path'
import { z } from 'zod'
import type { Host } from '../../../core/backend.ts'
import { ensureFolder, writeWhole } from '../../../store/durable.ts'
import { parseStoredJson, readTextFile } from '../../../store/read-file.ts'
import { Capabilities } from './found-server.ts'

const File = z.object({ version: z.literal(1), models: z.record(z.string(), Capabilities) })

// What models can do, as their servers said or a trial found, kept by digest, or by server and name: asked once.
export interface KeptCapabilities {
  get(key: string): Capabilities | undefined
  set(key: string, can: Capabilities): void
  save(): Promise<void> // where something is new
}

const max = 1000 // models; the oldest go first

export async function keptCapabilities(host: Host): Promise<KeptCapabilities> {
  const path = host.folder === '' ? undefined : join(host.folder, 'capabilities.json')
  const read = File.safeParse(path && parseStoredJson(await readTextFile(path)))
  const models = new Map(Object.entries(read.data?.models ?? {}))
  let changed = false
  return {
    get: key => models.get(key),
    set(key, can) {
      models.delete(key)
      models.set(key, Capabilities.parse(can))
      changed = true
    },
    async save() {
      if (!path || !changed) return
      changed = false
      const newest = Object.fromEntries([...models].slice(-max))
      await ensureFolder(host.folder)
      await writeWhole(path, `${JSON.stringify({ version: 1, models: newest }, null, 1)}\n`)
    },
  }
}
