import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createGunzip, type Gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { absentAs, errorCode, StorageError } from '../../../src/core/errors.ts'
import { safePath } from '../../../src/store/archive/member.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { parseStoredJson } from '../../../src/store/read-file.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import { putBytes } from '../store/object-bytes.ts'
import { runObjects } from './run-store.ts'

const File = z.strictObject({ name: z.string(), text: z.string().optional(), base64: z.string().optional() })

// The recorded calls of a shard as one object: a line a file. `pullCalls` reads them.
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
  await putBytes(store, `${runObjects.calls(run)}${n}-${attempt}.jsonl.gz`, packed)
}

// Every call of a run, into the folder where a run on one machine has recorded them.
export async function pullCalls(store: ArtifactStore, run: string, folder: string): Promise<void> {
  for await (const { name } of store.list(runObjects.calls(run))) {
    const unpacked = createGunzip()
    const packed = await store.get(name)
    packed.once('error', error => unpacked.destroy(error)).pipe(unpacked) // which passes no error on by itself
    try {
      for await (const line of readPackLines(unpacked, name)) await unpack(line, folder, name)
    } catch (error) {
      throw errorCode(error)?.startsWith('Z_') ? unusable(name, 'is damaged', error) : error
    } finally {
      packed.destroy()
    }
  }
}

const maxLine = 64 * 1024 * 1024 // bytes
const maxUnpacked = 1e9 // bytes, or `maxRatio` times the packed size where that is more
const maxRatio = 50
const block = 4096 // bytes that the smallest file takes on the disk

async function* readPackLines(unpacked: Gunzip, pack: string): AsyncGenerator<string> {
  let line: Buffer[] = []
  let length = 0
  let total = 0
  const take = (piece: Buffer) => {
    line.push(piece)
    length += piece.length
    if (length > maxLine) throw unusable(pack, `has a line of more than ${maxLine} bytes`)
  }
  const cut = () => {
    const text = Buffer.concat(line).toString('utf8')
    total += Math.max(length, block)
    line = []
    length = 0
    return text
  }
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    let at = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      take(chunk.subarray(at, end))
      at = end + 1
      yield cut()
      if (total > Math.max(maxUnpacked, maxRatio * unpacked.bytesWritten))
        throw unusable(pack, `unpacks to more than ${maxUnpacked} bytes and ${maxRatio} times its size`)
    }
    take(chunk.subarray(at))
  }
  if (length > 0) yield cut()
}

function unusable(pack: string, why: string, cause?: unknown): StorageError {
  return new StorageError(`${pack} ${why}.`, { hint: 'Remove it from the store; its run is not replayed.', cause })
}

async function unpack(line: string, folder: string, pack: string): Promise<void> {
  const file = File.safeParse(parseStoredJson(line)).data
  const parts = file && safePath(file.name)
  if (!parts) throw unusable(pack, 'holds no recorded calls')
  const path = join(folder, ...parts)
  await ensureFolder(dirname(path))
  await writeDurably(path, file.text ?? Buffer.from(file.base64 ?? '', 'base64'), 'private', 'unsynced')
}
