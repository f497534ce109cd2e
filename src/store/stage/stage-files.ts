import { chmod, type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteSink, StageMeta, StageWriter } from '../../core/stage.ts'
import { fileModes, syncFile } from '../durable.ts'
import { onDisk } from '../storage-error.ts'
import { bufferedFile } from './buffered-file.ts'
import { fileHasher, hashFile } from './file-check.ts'

interface StageFiles {
  writer: StageWriter
  notes: string[]
  finish(): Promise<StageMeta['files']> // everything on disk, with sizes and hashes
  abandon(): Promise<void> // closes what is still open
}

// The files of one running stage, in its temporary folder.
export function stageFiles(folder: string, doing: string): StageFiles {
  const notes: string[] = []
  const written: StageMeta['files'] = {}
  const promised = new Set<string>()
  const unfinished = new Map<string, FileHandle>()

  const pathFor = (name: string) => {
    if (!/^[a-zA-Z0-9][\w.-]*$/.test(name) || name === 'meta.json')
      throw new Error(`"${name}" is not a valid name for a file of a stage.`)
    return join(folder, name)
  }

  const sink = (name: string): Promise<ByteSink> =>
    onDisk(doing, async () => {
      const path = pathFor(name)
      const handle = await open(path, 'wx', fileModes.private)
      unfinished.set(name, handle)
      const hasher = fileHasher()
      const file = bufferedFile(handle, 0, hasher.update)
      return {
        write: chunk => onDisk(doing, () => file.write(chunk)),
        close: () =>
          onDisk(doing, async () => {
            if (!unfinished.has(name)) return
            try {
              await file.flush()
              await handle.sync()
            } finally {
              unfinished.delete(name)
              await handle.close()
            }
            written[name] = hasher.finish(name)
          }),
      }
    })

  return {
    notes,
    writer: {
      async json(name, value) {
        const file = await sink(name)
        await file.write(Buffer.from(`${JSON.stringify(value)}\n`))
        await file.close()
      },
      async lines(name, rows) {
        const file = await sink(name)
        let count = 0
        for await (const row of rows) {
          await file.write(Buffer.from(`${JSON.stringify(row)}\n`))
          count++
        }
        await file.close()
        return count
      },
      bytes: sink,
      path(name) {
        promised.add(name)
        return pathFor(name)
      },
      note: text => void notes.push(text),
    },
    async finish() {
      const [open] = unfinished.keys()
      if (open) throw new Error(`A stage left its file "${open}" open.`)
      const names = await readdir(folder)
      const missing = [...promised].find(name => !names.includes(name))
      if (missing) throw new Error(`A stage never wrote its file "${missing}".`)
      const files: StageMeta['files'] = {}
      for (const name of names.sort()) {
        const path = join(folder, name)
        if (!written[name]) {
          await chmod(path, fileModes.private) // a library may have made it
          await syncFile(path)
        }
        files[name] = written[name] ?? (await hashFile(path, name))
      }
      return files
    },
    async abandon() {
      for (const handle of unfinished.values()) await handle.close().catch(() => {})
      unfinished.clear()
    },
  }
}
