import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GateError, type HubFile, type HubRepository, hubClient } from '../../../models/hub/hub-client.ts'
import { absentAs, BackendError, UsageError } from '../../core/errors.ts'
import { checkModelFile } from '../../core/model-names.ts'
import { changedSince, type DataLock, lockName, readDataLock } from '../../store/models/data-lock.ts'
import { again, type FetchWork } from '../models/manager/fetch-file.ts'

export interface DataWish {
  dataset: string // "organisation/name" on the hub
  patterns: string[] // of the paths that are wanted: "videos/*.zip"; * leads into no folder
  revision?: string // what was fetched first where it is left out, else main
  to: string // the folder
  terms: string // as far as they are known
}

export interface DataPlan extends DataWish {
  commit: string
  lock?: DataLock
  files: { file: HubFile; here: boolean }[]
  bytes: number // to come
  licence?: string // as the card of the data set says
  gated?: boolean
  changes: string[] // what the maker changed since it was pinned
}

// What a fetch would bring, and what has changed since the last one. Nothing is written.
export async function planFetch(wish: DataWish, work: FetchWork): Promise<DataPlan> {
  const lock = await readDataLock(wish.to)
  if (lock && lock.dataset !== wish.dataset)
    throw new UsageError(`${wish.to} holds files of ${lock.dataset}, not of ${wish.dataset}.`, {
      hint: 'Name another folder with --to.',
    })
  const client = hubClient(work.host, work.stallSeconds, 'dataset')
  const look = (revision: string) =>
    again(work, () => client.repository(wish.dataset, revision, work.host.signal)).catch(error =>
      throwGate(error, wish),
    )
  const newest = await look(wish.revision ?? lock?.revision ?? 'main')
  const stays = lock !== undefined && wish.revision === undefined && newest.commit !== lock.commit
  const taken = stays ? await look(lock.commit) : newest
  const files = wantedFiles(taken, wish)
  await refuseChanged(wish.to, lock, files, work.host.signal)
  const planned = await Promise.all(
    files.map(async file => ({ file, here: await isHere(wish.to, file, lock, taken.commit, work.host.signal) })),
  )
  return {
    ...wish,
    commit: taken.commit,
    lock,
    files: planned,
    bytes: planned.reduce((sum, { file, here }) => sum + (here ? 0 : file.bytes), 0),
    licence: taken.licence,
    gated: taken.gated,
    changes: stays ? changesBetween(taken, newest) : [],
  }
}

export function throwGate(error: unknown, { dataset, terms }: Pick<DataWish, 'dataset' | 'terms'>): never {
  if (!(error instanceof GateError)) throw error
  throw new BackendError(error.message, {
    hint: `Its makers hand it out to those who accept their terms (${terms}). Read and accept them at https://huggingface.co/datasets/${dataset}, and put a token that may read it into HF_TOKEN. Nothing is accepted on your behalf.`,
    cause: error,
  })
}

function wantedFiles({ files }: HubRepository, { dataset, patterns }: DataWish): HubFile[] {
  const wanted = files.filter(({ path }) => !isOurs(path) && patterns.some(pattern => fits(pattern, path)))
  for (const { path } of wanted) checkModelFile(path)
  if (wanted.length > 0) return wanted
  const there = files.slice(0, 12).map(({ path }) => path)
  throw new UsageError(`${dataset} has no file named ${patterns.join(' or ')}.`, {
    hint: `It has ${there.join(', ')}${files.length > there.length ? `, and ${files.length - there.length} more` : ''}: fetch what you need by hand.`,
  })
}

// Names that the folder holds for itself: the lock, and parts that are on their way.
function isOurs(path: string): boolean {
  return path === lockName || path.startsWith('.')
}

function fits(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split('/'), path.split('/')]
  const part = (text: string) => new RegExp(`^${text.split('*').map(escaped).join('.*')}$`)
  return wanted.length === found.length && wanted.every((one, at) => part(one).test(found[at] ?? ''))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

// What the person changed is never written over.
async function refuseChanged(
  to: string,
  lock: DataLock | undefined,
  files: readonly HubFile[],
  signal: AbortSignal,
): Promise<void> {
  if (!lock) return
  const own = Object.entries(lock.files).filter(([path]) => files.some(file => file.path === path))
  const changed = await changedSince(to, { ...lock, files: Object.fromEntries(own) }, signal)
  if (changed.length > 0)
    throw new UsageError(`Changed in ${to} since it was fetched: ${changed.join(', ')}.`, {
      hint: 'Move these files away, or fetch into another folder with --to.',
    })
}

// As it was fetched and pinned, or put here by hand and equal. What a person put here and is other is never written over.
async function isHere(
  to: string,
  file: HubFile,
  lock: DataLock | undefined,
  commit: string,
  signal: AbortSignal,
): Promise<boolean> {
  const place = join(to, file.path)
  const found = await stat(place).catch(absentAs(undefined))
  if (!found) return false
  const pinned = lock?.files[file.path]
  if (pinned && lock?.commit === commit) return true
  const isEqual = found.size === file.bytes && (await hasChecksum(place, file, signal))
  if (isEqual || pinned) return isEqual
  throw new UsageError(`${place} is there, is not what the hub has, and was not fetched by longtake.`, {
    hint: 'Move it away, or fetch into another folder with --to.',
  })
}

async function hasChecksum(place: string, { bytes, checksum }: HubFile, signal: AbortSignal): Promise<boolean> {
  if (!checksum) return false
  const hash = checksum.kind === 'git' ? createHash('sha1').update(`blob ${bytes}\0`) : createHash('sha256')
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk)
  return hash.digest('hex') === checksum.value
}

function changesBetween(pinned: HubRepository, newest: HubRepository): string[] {
  const [before, now] = [filesOf(pinned), filesOf(newest)]
  const other = ([path, file]: [string, HubFile]) => {
    const old = before.get(path)
    if (!old) return [`${path} is new`]
    return old.checksum?.value === file.checksum?.value && old.bytes === file.bytes ? [] : [`${path} is another`]
  }
  return [...[...now].flatMap(other), ...[...before.keys()].flatMap(path => (now.has(path) ? [] : [`${path} is gone`]))]
}

function filesOf({ files }: HubRepository): Map<string, HubFile> {
  return new Map(files.map(file => [file.path, file]))
}
