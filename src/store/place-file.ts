import { copyFile, cp, realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { absentAs } from '../core/errors.ts'
import { ensureFolder } from './durable.ts'
import { exists } from './read-file.ts'
import { onDisk } from './storage-error.ts'
import { temporaryPath } from './temporary.ts'

// Puts a file into a folder of a person: a copy, or a link that still leads there when both folders move together. A relative link
// counts from the real path of its folder, so both real paths are looked up first.
export async function placeFile(from: string, to: string, as: 'link' | 'copy'): Promise<void> {
  await ensureFolder(dirname(to), 'umask')
  await onDisk(`write ${to}`, async () => {
    if (as === 'copy') {
      const temporary = temporaryPath(dirname(to))
      await copyFile(from, temporary)
      await rename(temporary, to)
    } else if (!(await exists(to))) {
      await rm(to, { force: true }) // one that leads nowhere
      await symlink(relative(await realpath(dirname(to)), await realpath(from)), to)
    }
  })
}

// Everything below a folder; nothing if it does not exist.
export async function copyFolder(from: string, to: string): Promise<void> {
  await onDisk(`write ${to}`, () => cp(from, to, { recursive: true }).catch(absentAs(undefined)))
}
