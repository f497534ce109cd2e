import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Host } from '../../src/core/backend.ts'
import { absentAs } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { checkHubFile, checkRevision, isCommit } from '../../src/core/model-names.ts'
import { isFile } from '../is-file.ts'
import { hubCache, repositoryFolder } from './cache.ts'

// A repository of the hub at a revision, or a folder of the user's.
export interface ModelPlace {
  repository: string
  revision: string
  folder?: string
}

// The folder of the model, complete or not; undefined if there is none.
export async function modelFolder(place: ModelPlace, host: Pick<Host, 'environment'>): Promise<string | undefined> {
  if (place.folder) return (await isFolder(place.folder)) ? resolve(place.folder) : undefined
  const repository = repositoryFolder(hubCache(host.environment), place.repository)
  const commit = await readCommit(repository, place.revision)
  if (!commit) return undefined
  const snapshot = join(repository, 'snapshots', commit)
  return (await isFolder(snapshot)) ? snapshot : undefined
}

// A branch or tag is a file that holds a commit.
export async function readCommit(repository: string, revision: string): Promise<string | undefined> {
  const ref = join(repository, 'refs', checkRevision(revision))
  if (!(await isFile(ref))) return isCommit(revision) ? revision : undefined
  const commit = (await readBoundedText(ref, 1000)).trim()
  return isCommit(commit) ? commit : undefined // if damaged, it is fetched again
}

export async function missingFiles(folder: string, files: readonly string[]): Promise<string[]> {
  const there = await Promise.all(files.map(file => isFile(join(folder, checkHubFile(file)))))
  return files.filter((_, i) => !there[i])
}

// The files of a folder, for messages.
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absentAs([]))
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(resolve(folder).length + 1))
    .sort()
}

async function isFolder(path: string): Promise<boolean> {
  const status = await stat(path).catch(absentAs(undefined, 'ENOTDIR', 'ENAMETOOLONG'))
  return status?.isDirectory() ?? false
}
