import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs } from '../../core/errors.ts'
import { ensureFolder, writeDurably } from '../durable.ts'
import { readTextFile } from '../read-file.ts'
import { onDisk } from '../storage-error.ts'

const otherUsers = 0o077

// The token of the servers of this data folder, which pages that are open keep over a restart. A file that others could read
// or have put there holds no secret: it is replaced.
export async function readServeToken(home: string, make: () => string, { renew = false } = {}): Promise<string> {
  const folder = join(home, 'serve')
  const file = join(folder, 'token')
  const stats = await lstat(file).catch(absentAs(undefined))
  const isOwn = stats?.uid === process.getuid?.() || process.platform === 'win32'
  const isPrivate = process.platform === 'win32' || ((stats?.mode ?? 0) & otherUsers) === 0
  const stored = stats?.isFile() && isOwn && isPrivate ? (await readTextFile(file, 1000))?.trim() : undefined
  if (!renew && stored !== undefined && /^[\w-]{43,}$/.test(stored)) return stored
  const token = make()
  await onDisk(`write ${file}`, async () => {
    await ensureFolder(folder)
    await writeDurably(file, `${token}\n`)
  })
  return token
}
