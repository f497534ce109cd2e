import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { absentAs } from '../core/errors.ts'
import { listNames } from './read-file.ts'
import { onDisk } from './storage-error.ts'

const prefix = '.tmp-'
const live = new Set<string>()

// A name beside the final one, for work that is renamed into place when it is whole: ".tmp-<process>-<machine>-<random>".
export function temporaryPath(folder: string): string {
  return join(folder, `${prefix}${process.pid}-${machine()}-${randomBytes(6).toString('hex')}`)
}

// As temporaryPath, for a folder that this process works in for long: its own sweep leaves it alone until `done` is called.
export function temporaryFolder(parent: string): { path: string; done(): void } {
  const path = temporaryPath(parent)
  live.add(path)
  return { path, done: () => live.delete(path) }
}

// A file for a reader that takes only files, as long as `use` needs it.
export async function withScratchFile<Result>(
  name: string,
  content: string,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await onDisk(`write below ${tmpdir()}`, () => mkdtemp(join(tmpdir(), 'longtake-')))
  try {
    const file = join(folder, name)
    await onDisk(`write ${file}`, () => writeFile(file, content))
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function isTemporary(name: string): boolean {
  return name.startsWith(prefix)
}

// Removes what killed runs left behind in a video's folder. Only the holder of the video's lock may call it: then no other process
// works in a temporary folder, but for the workers of a cluster, which are seen to live. Small files are written without the lock.
export async function sweepTemporary(videoFolder: string): Promise<string[]> {
  const stages = join(videoFolder, 'stages')
  const folders = [videoFolder, join(videoFolder, 'index'), join(videoFolder, 'parts'), stages]
  for (const name of await listNames(stages)) folders.push(join(stages, name))
  const swept: string[] = []
  for (const folder of folders) swept.push(...(await sweep(folder, { folders: 'all' })))
  return swept
}

// Removes what killed processes left behind in a folder that others may be writing to.
export async function sweepAbandoned(folder: string): Promise<string[]> {
  return sweep(folder, { folders: 'abandoned' })
}

// The same in every folder below as well, for a run that is resumed.
export async function sweepAbandonedBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absentAs([]))
  const places = new Set(entries.filter(entry => isTemporary(entry.name)).map(entry => entry.parentPath))
  const swept: string[] = []
  for (const folder of places) swept.push(...(await sweepAbandoned(folder)))
  return swept
}

async function sweep(folder: string, { folders }: { folders: 'all' | 'abandoned' }): Promise<string[]> {
  const swept: string[] = []
  for (const name of (await listNames(folder)).filter(isTemporary)) {
    const path = join(folder, name)
    const stats = live.has(path) ? undefined : await stat(path).catch(absentAs(undefined))
    if (!stats || !((folders === 'all' && !stats.isFile() && !isOfAnother(name)) || isAbandoned(name, stats.mtimeMs)))
      continue
    await rm(path, { recursive: true, force: true })
    swept.push(path)
  }
  return swept
}

// Of a live process beside this one.
function isOfAnother(name: string): boolean {
  const { pid, where } = parseMaker(name)
  return where === machine() && pid !== process.pid && isAlive(pid)
}

function parseMaker(name: string): { pid: number; where?: string } {
  const [, pid, where] = /^\.tmp-(\d+)-([0-9a-f]{8})-/.exec(name) ?? []
  return { pid: Number(pid), where }
}

const old = 3_600_000 // milliseconds; nobody works on a file for so long without writing to it

// Where its process can be known here, that it has ended says so, and no clock: clocks jump. What another machine or
// container made is given time.
function isAbandoned(name: string, modified: number): boolean {
  const { pid, where } = parseMaker(name)
  return where === machine() ? !isAlive(pid) : Date.now() - modified > old
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // EPERM: it belongs to another user
  }
}

let cachedPlace: string | undefined

// Where process numbers mean the same: one start of one machine, and on Linux one container of it.
function machine(): string {
  const sources = [
    () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
    () => readlinkSync('/proc/self/ns/pid'),
  ]
  cachedPlace ??= createHash('sha256')
    .update([hostname(), ...sources.map(orNothing)].join('\n'))
    .digest('hex')
    .slice(0, 8)
  return cachedPlace
}

function orNothing(ask: () => string): string {
  try {
    return ask()
  } catch {
    return ''
  }
}
