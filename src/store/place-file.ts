import { copyFile, cp, realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { absentAs } from '../core/errors.ts'
import { ensureFolder } from './durable.ts'
import { exists } from './read-file.ts'
import { onDisk } from './storage-error.ts'
import { temporaryPath } from './temporary.ts'

// Puts a file into a folder of a person: a link that still leads there when both folders move together, or a whole copy. A link is
// read from where its folder really is, so that both places are looked up first.
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

// All below a folder; nothing where there is none.
export async function copyFolder(from: string, to: string): Promise<void> {
  await onDisk(`write ${to}`, () => cp(from, to, { recursive: true }).catch(absentAs(undefined)))
}
