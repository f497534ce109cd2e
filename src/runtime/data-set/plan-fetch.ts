import { GateError, type HubFile, type HubRepository, hubClient } from '../../../models/hub/hub-client.ts'
import { BackendError, UsageError } from '../../core/errors.ts'
import { checkHubFile } from '../../core/model-names.ts'
import { type DataLock, lockName, partsFolder, readDataLock } from '../../store/models/data-lock.ts'
import { partBytes } from '../../store/models/model-files.ts'
import { again, type FetchWork } from '../models/manager/fetch-file.ts'
import { isHere, type Pins, pinsFor } from './pinned-files.ts'

interface DataWish {
  dataset: string // "organisation/name" on the hub
  parts: { name: string; patterns: string[] }[] // paths that are wanted, of each part: "videos/*.zip"; * leads into no folder
  revision?: string // what was fetched first where it is left out, else main
  to: string // the folder
  terms: string // as far as they are known
}

export interface DataPlan extends DataWish {
  commit: string
  lock?: DataLock
  pins: Pins
  files: { file: HubFile; here: boolean }[]
  bytes: number // to come
  licence?: string // as the card of the data set says
  gated?: boolean
  changes: string[] // what the maker changed since it was pinned
  updated: string[] // pinned files beside the wanted ones: all files of a folder are of one commit
  gone: string[] // pinned files that the commit lacks
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
  const chosenRevision = stays ? await look(lock.commit) : newest
  const pins = pinsFor(lock, chosenRevision.commit)
  const wantedPaths = wantedFiles(chosenRevision, wish)
  const updated = chosenRevision.files.filter(
    file => Object.hasOwn(pins.before, file.path) && !wantedPaths.includes(file),
  )
  const planned = await Promise.all(
    [...wantedPaths, ...updated].map(async file => ({
      file,
      here: await isHere(wish.to, file, pins, work.host.signal),
    })),
  )
  return {
    ...wish,
    commit: chosenRevision.commit,
    lock,
    pins,
    files: planned,
    bytes: await bytesToCome(planned, wish.to),
    licence: chosenRevision.licence,
    gated: chosenRevision.gated,
    changes: stays ? changesBetween(chosenRevision, newest) : [],
    updated: updated.map(({ path }) => path),
    gone: Object.keys(pins.before).filter(path => !chosenRevision.files.some(file => file.path === path)),
  }
}

export function throwGate(error: unknown, { dataset, terms }: Pick<DataWish, 'dataset' | 'terms'>): never {
  if (!(error instanceof GateError)) throw error
  throw new BackendError(error.message, {
    hint: `Its makers hand it out to those who accept their terms (${terms}). Read and accept them at https://huggingface.co/datasets/${dataset}, and put a token that may read it into HF_TOKEN. Nothing is accepted on your behalf.`,
    cause: error,
  })
}

// Every part must bring something: one that is left out in silence is missed by a run only.
function wantedFiles({ files }: HubRepository, { dataset, parts }: DataWish): HubFile[] {
  const offered = files.filter(({ path }) => !isOurs(path))
  const ofParts = parts.map(({ name, patterns }) => {
    const matches = offered.filter(({ path }) => patterns.some(pattern => fits(pattern, path)))
    for (const { path } of matches) checkHubFile(path)
    if (matches.length > 0) return matches
    const there = offered.slice(0, 12).map(({ path }) => path)
    throw new UsageError(`${dataset} has no file named ${patterns.join(' or ')} (${name}).`, {
      hint: `It has ${there.join(', ')}${offered.length > there.length ? `, and ${offered.length - there.length} more` : ''}: fetch what you need by hand.`,
    })
  })
  return [...new Set(ofParts.flat())]
}

// Names that the folder holds for itself: the lock, and parts that are on their way.
function isOurs(path: string): boolean {
  return path === lockName || path.startsWith('.')
}

function fits(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split('/'), path.split('/')]
  const partPattern = (text: string) => new RegExp(`^${text.split('*').map(escaped).join('.*')}$`)
  return wanted.length === found.length && wanted.every((one, at) => partPattern(one).test(found[at] ?? ''))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

async function bytesToCome(files: DataPlan['files'], to: string): Promise<number> {
  const missingBytes = files.map(async ({ file, here }) =>
    here ? 0 : file.bytes - (await partBytes(partsFolder(to), file.path, file)),
  )
  return (await Promise.all(missingBytes)).reduce((sum, bytes) => sum + bytes, 0)
}

function changesBetween(pinned: HubRepository, newest: HubRepository): string[] {
  const [before, now] = [mapFiles(pinned), mapFiles(newest)]
  const other = ([path, file]: [string, HubFile]) => {
    const old = before.get(path)
    if (!old) return [`${path} is new`]
    return old.checksum?.value === file.checksum?.value && old.bytes === file.bytes ? [] : [`${path} is another`]
  }
  return [...[...now].flatMap(other), ...[...before.keys()].flatMap(path => (now.has(path) ? [] : [`${path} is gone`]))]
}

function mapFiles({ files }: HubRepository): Map<string, HubFile> {
  return new Map(files.map(file => [file.path, file]))
}
