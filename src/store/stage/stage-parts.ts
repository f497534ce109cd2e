import type { Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { absentAs } from '../../core/errors.ts'
import { sha256 } from '../../core/json.ts'
import type { StageParts } from '../../core/stage.ts'
import { storedStage } from '../../core/words/stage-names.ts'
import { ensureFolder, fileModes, writeDurably } from '../durable.ts'
import { parseStoredJson, readTextFile } from '../read-file.ts'
import { isBroken, sealRecord } from '../sealed-record.ts'
import { onDisk } from '../storage-error.ts'
import { type BufferedFile, bufferedFile } from './buffered-file.ts'
import { hashUpTo } from './file-check.ts'
import { Sighting } from './sighting.ts'

// The parts of one unfinished stage, in a folder of their own beside the finished results.
export function stageParts(videoFolder: string, stage: string, key: string, place: (name: string) => string) {
  const folder = partFolder(videoFolder, stage, key)
  const doing = `write parts of stage "${stage}" in ${folder}`
  const growing = new Map<string, Growing>()
  let savedFiles: SavedFiles = {} // what the files were when the state was saved
  let last: Promise<unknown> = Promise.resolve()
  // A state that is saved names every file as it is: none is closed meanwhile.
  const inTurn = <T>(work: () => Promise<T>) => {
    const finished = last.then(() => onDisk(doing, work))
    last = finished.catch(() => {})
    return finished
  }

  const parts: StageParts = {
    async state() {
      const bytes = await readFile(join(folder, 'state')).catch(absentAs(undefined))
      const saved = bytes && openState(bytes)
      savedFiles = saved?.files ?? {}
      return saved?.state
    },
    save: state =>
      inTurn(async () => {
        await ensureFolder(folder)
        const files: SavedFiles = {}
        for (const [name, { file, handle, written }] of growing) {
          await file.flush()
          await handle.sync()
          const { bytes, hash } = written
          files[name] = { bytes, sha256: hash.copy().digest('hex') }
        }
        await writeDurably(join(folder, 'state'), closedState({ ...savedFiles, ...files }, state))
      }),
    append: (name, size) =>
      onDisk(doing, async () => {
        await ensureFolder(folder)
        const handle = await open(
          join(folder, name),
          constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW,
          fileModes.private,
        )
        const fileSize = (await handle.stat()).size
        const saved = savedFiles[name]
        const fault =
          fileSize < size
            ? `is ${fileSize} bytes long, not ${size}`
            : size > 0 && saved && !(await isAsSaved(join(folder, name), saved)) && 'has other content than was written'
        if (fault) {
          await handle.close()
          throw new Error(`The part "${name}" ${fault}.`)
        }
        delete savedFiles[name]
        await handle.truncate(size)
        const written = { bytes: size, hash: await hashUpTo(join(folder, name), size) }
        const file = bufferedFile(handle, size, chunk => {
          written.hash.update(chunk)
          written.bytes += chunk.length
        })
        growing.set(name, { file, handle, written })
        return {
          write: chunk => onDisk(doing, () => file.write(chunk)),
          flush: () => onDisk(doing, file.flush),
          close: () =>
            inTurn(async () => {
              if (!growing.delete(name)) return
              try {
                await file.flush()
                await handle.sync()
                savedFiles[name] = { bytes: written.bytes, sha256: written.hash.digest('hex') }
              } finally {
                await handle.close()
              }
            }),
        }
      }),
    give: name =>
      onDisk(doing, async () => {
        const [from, to] = [join(folder, name), place(name)]
        await link(from, to).catch(() => copyFile(from, to)) // not every disk can give a file two names
      }),
    path: name => join(folder, name),
  }
  return {
    parts,
    async abandon() {
      for (const { handle } of growing.values()) await handle.close().catch(() => {})
      growing.clear()
    },
  }
}

export function partFolder(videoFolder: string, stage: string, key: string): string {
  return join(videoFolder, 'parts', `${storedStage(stage)}-${key}`)
}

interface Growing {
  file: BufferedFile
  handle: FileHandle
  written: { bytes: number; hash: Hash }
}

const SavedFiles = z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() }))
type SavedFiles = z.infer<typeof SavedFiles>

// The state with what the files were then, and a hash of both: a changed byte must not be resumed from.
function closedState(files: SavedFiles, state: Uint8Array): Buffer {
  const head = sealRecord({ files, state: sha256(state) })
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), state])
}

function openState(bytes: Buffer): { files: SavedFiles; state: Buffer } | undefined {
  const end = bytes.indexOf(10)
  const state = bytes.subarray(end + 1)
  try {
    const head = JSON.parse(bytes.toString('utf8', 0, end))
    if (!head.check || isBroken(head) || head.state !== sha256(state)) return undefined
    return { files: SavedFiles.parse(head.files), state }
  } catch {
    return undefined // damaged, or of an earlier release: the stage begins anew
  }
}

async function isAsSaved(path: string, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<boolean> {
  return (await hashUpTo(path, bytes)).digest('hex') === sha256
}

// Parts are resumed only for the file that they were made from; those of another are removed. For the holder of the lock.
export async function keepParts(
  videoFolder: string,
  file: Sighting,
  isSame: (before: Sighting) => boolean,
): Promise<void> {
  const folder = join(videoFolder, 'parts')
  const record = join(folder, 'source.json')
  await onDisk(`write parts in ${folder}`, async () => {
    const before = Sighting.safeParse(parseStoredJson(await readTextFile(record))).data
    if (before && isSame(before)) return
    await rm(folder, { recursive: true, force: true })
    await ensureFolder(folder)
    await writeDurably(record, `${JSON.stringify(file)}\n`)
  })
}

// The stage is whole: its parts, and those that other settings have left, are of no use any more.
export async function removeStageParts(videoFolder: string, stage: string): Promise<void> {
  const folder = join(videoFolder, 'parts')
  for (const name of await readdir(folder).catch(absentAs([])))
    if (name.startsWith(`${storedStage(stage)}-`))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
}
