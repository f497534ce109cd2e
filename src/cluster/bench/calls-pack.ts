import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { absentAs, StorageError } from '../../core/errors.ts'
import { safePath } from '../../store/archive/member.ts'
import { makeFolder, writeDurably } from '../../store/durable.ts'
import { jsonOf } from '../../store/read-file.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import { runPrefix } from './run-store.ts'

const File = z.strictObject({ name: z.string(), text: z.string().optional(), base64: z.string().optional() })

// The recorded calls of a shard as one object: a line a file. They are read where someone asks for them, by `pullCalls`.
export async function pushCalls(
  store: ArtifactStore,
  { run, n, attempt, folder }: { run: string; n: number; attempt: string; folder: string },
): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absentAs([]))
  const files = entries.filter(entry => entry.isFile() && !entry.name.startsWith('.'))
  if (files.length === 0) return
  const lines = await Promise.all(
    files.map(async entry => {
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path)
      const text = bytes.toString('utf8')
      const content = Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') }
      return `${JSON.stringify({ name: path.slice(folder.length + 1), ...content })}\n`
    }),
  )
  const packed = await promisify(gzip)(lines.sort().join(''))
  await store.put(`${callsPrefix(run)}${n}-${attempt}.jsonl.gz`, () => Readable.from([packed]), packed.length)
}

const callsPrefix = (run: string) => `${runPrefix(run)}calls/`

// Every call of a run, into the folder where a run on one machine has recorded them.
export async function pullCalls(store: ArtifactStore, run: string, folder: string): Promise<void> {
  for await (const { name } of store.list(callsPrefix(run))) {
    const unpacked = createGunzip()
    const packed = await store.get(name)
    packed.once('error', error => unpacked.destroy(error)).pipe(unpacked) // which passes no error on by itself
    for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY }))
      await unpack(line, folder, name)
  }
}

async function unpack(line: string, folder: string, pack: string): Promise<void> {
  const file = File.safeParse(jsonOf(line)).data
  const parts = file && safePath(file.name)
  if (!parts)
    throw new StorageError(`${pack} holds no recorded calls.`, {
      hint: 'Remove it from the store; its run is not replayed.',
    })
  const path = join(folder, ...parts)
  await makeFolder(dirname(path))
  await writeDurably(path, file.text ?? Buffer.from(file.base64 ?? '', 'base64'), 'private', 'unsynced')
}
