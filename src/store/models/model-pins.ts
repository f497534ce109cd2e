import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ensureFolder, writeDurably } from '../durable.ts'
import { readTextFile } from '../read-file.ts'
import { onDisk } from '../storage-error.ts'
import { sweepAbandoned } from '../temporary.ts'

const PinnedFile = z.object({ bytes: z.number().int(), sha256: z.string() })
const ModelPin = z.object({ commit: z.string(), files: z.record(z.string(), PinnedFile) })
const Pins = z.object({ format: z.literal(1), models: z.record(z.string(), ModelPin) })

// What a model was when it was first fetched: its commit, and size and checksum of each file. "org/name@revision" to pin.
export type ModelPin = z.infer<typeof ModelPin>
type Pins = z.infer<typeof Pins>['models']

export function pinName(repository: string, revision: string): string {
  return `${repository}@${revision}`
}

export async function readPins(home: string): Promise<Pins> {
  const text = await readTextFile(pinsFile(home))
  return text === undefined ? {} : Pins.parse(JSON.parse(text)).models
}

export async function writePin(home: string, name: string, pin: ModelPin | undefined): Promise<void> {
  await onDisk(`write ${pinsFile(home)}`, async () => {
    await ensureFolder(join(home, 'models'))
    await sweepAbandoned(join(home, 'models'))
    const { [name]: _, ...models } = await readPins(home)
    const content: z.infer<typeof Pins> = { format: 1, models: pin ? { ...models, [name]: pin } : models }
    await writeDurably(pinsFile(home), `${JSON.stringify(content, null, 2)}\n`)
  })
}

export async function fileChecksum(path: string, signal: AbortSignal): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { signal })) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}

function pinsFile(home: string): string {
  return join(home, 'models', 'pins.json')
}
