import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { absentAs, forbidden, StorageError } from '../../core/errors.ts'
import { fileModes, folderModes } from '../durable.ts'

// What longtake stores in the data folder.
const ownFolders = ['library', 'runs', 'sessions', 'models', 'benchmarks', 'compiled', 'jobs', 'serve']
const otherUsers = 0o077

// Makes the data folder readable only by this user. Releases before this one wrote it with the umask: such a folder is
// tightened once; its own mode, which changes last, says that this was done. Refuses a folder that another user
// has made where anyone may make one.
export async function keepPrivate(home: string, say: (line: string) => void): Promise<void> {
  if (process.platform === 'win32') return
  await refuseStranger(home)
  let tightened = 0
  for (const name of ownFolders) if (await isOpen(join(home, name))) tightened += await tighten(join(home, name))
  if ((await isOpen(home)) && (await readdir(home)).every(name => ownFolders.includes(name)))
    tightened += await setMode(home, folderModes.private)
  if (tightened > 0) say(`${home} could be read by other users of this machine; it is private to this user now.`)
}

// Everything below a folder, then the folder itself. Links are left alone: what they name is somewhere else.
async function tighten(folder: string): Promise<number> {
  let tightened = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(absentAs([], ...forbidden))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) tightened += await tighten(path)
    else if (entry.isFile()) tightened += await setMode(path, fileModes.private)
  }
  return tightened + (await setMode(folder, folderModes.private))
}

// 1 if the mode was changed. A folder of another user or on a read-only disk stays as it is.
async function setMode(path: string, mode: number): Promise<number> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink() || (stats.mode & otherUsers) === 0) return 0
    await chmod(path, stats.mode & mode)
    return 1
  } catch {
    return 0
  }
}

// A real folder that others have some right to.
async function isOpen(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(absentAs(undefined))
  return stats?.isDirectory() ? (stats.mode & otherUsers) !== 0 : false
}

// In a folder that everybody may write to, as /tmp, another user can make the data folder first: it would hold their
// results and see ours.
async function refuseStranger(home: string): Promise<void> {
  const me = process.getuid?.()
  for (let at = home; at !== dirname(at); at = dirname(at)) {
    const parent = await stat(dirname(at)).catch(absentAs(undefined))
    const stats = await lstat(at).catch(absentAs(undefined))
    if (!parent || !stats || (parent.mode & 0o002) === 0 || stats.uid === me || stats.uid === 0) continue
    throw new StorageError(
      `${at} belongs to another user (${stats.uid}) and lies in a folder that everybody may write to. It is not used as the data folder.`,
      { hint: 'Set LONGTAKE_HOME to a folder of your own.' },
    )
  }
}
