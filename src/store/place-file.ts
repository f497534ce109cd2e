import { copyFile, cp, rm, symlink } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { absentAs } from '../core/errors.ts'
import { makeFolder } from './durable.ts'
import { exists } from './read-file.ts'
import { onDisk } from './storage-error.ts'

// Puts a file into a folder of a person: a link that still leads there when both folders move together, or a copy.
export async function placeFile(from: string, to: string, as: 'link' | 'copy'): Promise<void> {
  await makeFolder(dirname(to), 'umask')
  await onDisk(`write ${to}`, async () => {
    if (await exists(to)) {
      if (as === 'link') return
      await rm(to)
    }
    if (as === 'copy') await copyFile(from, to)
    else await symlink(relative(dirname(to), from), to)
  })
}

// All below a folder; nothing where there is none.
export async function copyFolder(from: string, to: string): Promise<void> {
  await onDisk(`write ${to}`, () => cp(from, to, { recursive: true }).catch(absentAs(undefined)))
}
