import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { Refused } from '../../core/api/problem.ts'
import { absentAs, errorCode, StorageError, UsageError } from '../../core/errors.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { ensureFolder, fileModes, syncFile, syncFolder } from '../durable.ts'
import { freeSpace } from '../free-space.ts'
import { exists, listNames } from '../read-file.ts'
import { readRecord, saveRecord } from '../sealed-record.ts'
import { onDisk } from '../storage-error.ts'
import { sweepAbandoned, temporaryFolder } from '../temporary.ts'

// A file that a client has sent. It lies under a name of ours, made from its content.
const Stored = z.object({
  format: z.literal(1),
  name: z.string(), // as the client called it, for people only
  file: z.string(), // in its folder
  bytes: z.number(),
  sha256: z.string(),
  created: z.string(), // ISO date
})

export interface Upload extends Omit<z.infer<typeof Stored>, 'format' | 'file'> {
  id: string // from its content: the same content sent twice is one upload
  path: string
}

export interface Sent {
  bytes: AsyncIterable<Uint8Array>
  length?: number // as the client declares it
  name?: string
}

export interface Uploads {
  receive(sent: Sent, signal: AbortSignal): Promise<Upload>
  find(id: string): Promise<Upload | undefined>
  list(): Promise<Upload[]> // in the order in which they came
  remove(id: string): Promise<boolean>
}

interface UploadRules {
  maxBytes: number
  inspect(path: string): Promise<{ ending: string }> // throws if it is not a video; then nothing is kept
}

const atOnce = 4
const keptFree = 64 * 1024 * 1024 // bytes of the disk that no upload takes
const lookEvery = 64 * 1024 * 1024 // bytes between two looks at what is free

// The uploads under <home>/uploads, one folder each. A folder is there whole or not at all, whenever we are killed.
export function openUploads(home: string, { maxBytes, inspect }: UploadRules): Uploads {
  const root = join(home, 'uploads')
  let running = 0

  const find = async (id: string) => (isUploadId(id) ? readUpload(join(root, id)) : undefined)

  const refuseTooLarge = (bytes: number) => {
    if (bytes <= maxBytes) return
    const gigabytes = Number((maxBytes / 1e9).toFixed(3))
    throw new Refused(
      'too_large',
      `An upload may have ${gigabytes} GB at most.`,
      'Start the server in the folder of the file and add it by its path, or raise serve.uploadGigabytes.',
    )
  }
  const refuseFull = async (bytes: number) => {
    const { bytes: free } = await freeSpace(root)
    if (bytes + keptFree <= free) return
    throw new StorageError('The disk has no room for this upload.', {
      hint: 'Free some space, or set LONGTAKE_HOME to a folder on another disk.',
    })
  }

  async function* measured(bytes: AsyncIterable<Uint8Array>, take: (piece: Uint8Array) => number) {
    let looked = 0
    for await (const piece of bytes) {
      const size = take(piece)
      refuseTooLarge(size)
      if (size - looked >= lookEvery) {
        looked = size
        await refuseFull(0)
      }
      yield piece
    }
  }

  const write = async (file: string, sent: Sent, signal: AbortSignal) => {
    const hash = createHash('sha256')
    let size = 0
    const take = (piece: Uint8Array) => {
      hash.update(piece)
      size += piece.length
      return size
    }
    const target = createWriteStream(file, { flags: 'wx', mode: fileModes.private })
    await pipeline(measured(sent.bytes, take), target, { signal })
    if (size === 0) throw new UsageError('The upload is empty.')
    if (sent.length !== undefined && sent.length !== size)
      throw new UsageError(`The upload has ${size} bytes, and ${sent.length} were declared.`)
    await syncFile(file)
    return { bytes: size, sha256: hash.digest('hex') }
  }

  const publish = async (folder: string, id: string): Promise<Upload> => {
    const target = join(root, id)
    for (;;) {
      const existing = await readUpload(target)
      if (existing) return existing
      try {
        await rename(folder, target)
        await syncFolder(root)
      } catch (error) {
        if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
        if (!(await readUpload(target))) await rm(target, { recursive: true, force: true }) // it is damaged: this one is whole
      }
    }
  }

  const receive = async (sent: Sent, signal: AbortSignal): Promise<Upload> => {
    refuseTooLarge(sent.length ?? 0)
    await ensureFolder(root)
    await sweepAbandoned(root)
    await refuseFull(sent.length ?? 0)
    const { path: folder, done } = temporaryFolder(root)
    try {
      await ensureFolder(folder)
      const written = await write(join(folder, 'upload'), sent, signal)
      const { ending } = await inspect(join(folder, 'upload'))
      const id = `u${written.sha256.slice(0, 20)}`
      const file = `${id}.${ending}`
      await rename(join(folder, 'upload'), join(folder, file))
      const name = cutLabel(sent.name) ?? file
      const created = new Date().toISOString()
      await saveRecord(join(folder, 'upload.json'), { ...{ format: 1, name, file, ...written, created } })
      return await publish(folder, id)
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => {})
      done()
    }
  }

  return {
    async receive(sent, signal) {
      if (running >= atOnce)
        throw new Refused('queue_full', `${atOnce} uploads are under way.`, 'Wait until one of them is over.')
      running++
      try {
        return await onDisk('keep the upload', () => receive(sent, signal))
      } finally {
        running--
      }
    },
    find,
    async list() {
      const all = await Promise.all((await listNames(root)).map(find))
      return all.filter(one => one !== undefined).sort((a, b) => (a.created < b.created ? -1 : 1))
    },
    async remove(id) {
      if (!(await find(id))) return false
      await onDisk(`remove the upload ${id}`, () => rm(join(root, id), { recursive: true, force: true }))
      return true
    },
  }
}

// What a killed server left of uploads is removed.
export async function sweepUploads(home: string): Promise<void> {
  await onDisk('sweep the uploads', () => sweepAbandoned(join(home, 'uploads')))
}

// What the client called the file at this path, where it is an upload.
export async function uploadName(home: string, path: string): Promise<string | undefined> {
  const folder = dirname(path)
  if (!isUploadId(basename(folder))) return undefined
  const root = await realpath(join(home, 'uploads')).catch(absentAs(undefined)) // as the path is
  return dirname(folder) === root ? (await readUpload(folder))?.name : undefined
}

function isUploadId(text: string): boolean {
  return /^u[0-9a-f]{20}$/.test(text)
}

async function readUpload(folder: string): Promise<Upload | undefined> {
  const record = await readRecord(join(folder, 'upload.json'), Stored)
  if (typeof record === 'string') return undefined
  const { format: _, file, ...upload } = record
  const path = join(folder, file)
  return (await exists(path)) ? { id: folder.slice(-21), path, ...upload } : undefined
}

const longestName = 255

// What comes after the last slash of either kind, with its control signs made visible. No path is ever made of it.
function cutLabel(given = ''): string | undefined {
  const last = visibleFileName(given.split(/[/\\]/).at(-1) ?? '').trim()
  return [...last].slice(0, longestName).join('') || undefined
}
