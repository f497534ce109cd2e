import { chmod, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { absentAs } from '../core/errors.ts'
import { ensureFolder, writeDurably } from './durable.ts'
import { onDisk } from './storage-error.ts'

// Replaces a file of the user's as a whole, where a link points to, and with the mode that it has; a new one is private.
export async function replaceFile(path: string, content: string): Promise<void> {
  await onDisk(`write ${path}`, async () => {
    const target = await realpath(path).catch(absentAs(path))
    const before = await stat(target).catch(absentAs(undefined))
    await ensureFolder(dirname(target))
    await writeDurably(target, content)
    if (before) await chmod(target, before.mode & 0o777)
  })
}
