import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StageParts } from '../core/stage.ts'
import { Sighting } from './content-record.ts'
import { fileModes, makeFolder, writeDurably } from './durable.ts'
import { errorCode, onDisk } from './storage-error.ts'

// The parts of one unfinished stage, in a folder of their own beside the finished results.
export function stageParts(videoFolder: string, stage: string, key: string, place: (name: string) => string) {
  const folder = join(videoFolder, 'parts', `${stage}-${key}`)
  const doing = `write parts of stage "${stage}" in ${folder}`
  const growing = new Map<string, { flush(): Promise<void>; handle: FileHandle }>()

  const parts: StageParts = {
    async state() {
      return readFile(join(folder, 'state')).catch(error => {
        if (errorCode(error) === 'ENOENT') return undefined
        throw error
      })
    },
    save: state =>
      onDisk(doing, async () => {
        await makeFolder(folder)
        for (const { flush, handle } of growing.values()) {
          await flush()
          await handle.sync()
        }
        await writeDurably(join(folder, 'state'), state)
      }),
    append: (name, size) =>
      onDisk(doing, async () => {
        await makeFolder(folder)
        const handle = await open(
          join(folder, name),
          constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW,
          fileModes.private,
        )
        const found = (await handle.stat()).size
        if (found < size) {
          await handle.close()
          throw new Error(`The part "${name}" is ${found} bytes long, not ${size}.`)
        }
        await handle.truncate(size)
        let waiting: Uint8Array[] = []
        let waitingBytes = 0
        let at = size
        let last = Promise.resolve()
        const flushNow = async () => {
          const chunk = Buffer.concat(waiting)
          waiting = []
          waitingBytes = 0
          for (let done = 0; done < chunk.length; ) {
            const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, at)
            done += bytesWritten
            at += bytesWritten
          }
        }
        const flush = () => {
          last = last.then(flushNow)
          return last
        }
        growing.set(name, { flush, handle })
        return {
          write: chunk =>
            onDisk(doing, async () => {
              waiting.push(chunk.slice())
              waitingBytes += chunk.length
              if (waitingBytes >= bufferBytes) await flush()
            }),
          flush: () => onDisk(doing, flush),
          close: () =>
            onDisk(doing, async () => {
              if (!growing.delete(name)) return
              try {
                await flush()
                await handle.sync()
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

const bufferBytes = 256 * 1024

// Parts are resumed only for the file that they were made from; those of another are removed. For the holder of the lock.
export async function keepPartsOf(
  videoFolder: string,
  file: Sighting,
  isSame: (before: Sighting) => boolean,
): Promise<void> {
  const folder = join(videoFolder, 'parts')
  const record = join(folder, 'source.json')
  await onDisk(`write parts in ${folder}`, async () => {
    const before = await readFile(record, 'utf8')
      .then(text => Sighting.safeParse(JSON.parse(text)).data)
      .catch(() => undefined)
    if (before && isSame(before)) return
    await rm(folder, { recursive: true, force: true })
    await makeFolder(folder)
    await writeDurably(record, `${JSON.stringify(file)}\n`)
  })
}

// The stage is whole: its parts, and those that other settings have left, are of no use any more.
export async function removeParts(videoFolder: string, stage: string): Promise<void> {
  const folder = join(videoFolder, 'parts')
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${stage}-`)) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
}
