import { join } from 'node:path'
import { hubClient } from '../../../models/hub/hub-client.ts'
import { StorageError } from '../../core/errors.ts'
import { ensureFolder } from '../../store/durable.ts'
import { freeSpace } from '../../store/free-space.ts'
import {
  type DataLock,
  partsFolder,
  placeDataFile,
  removePartialFiles,
  writeDataLock,
} from '../../store/models/data-lock.ts'
import { fileChecksum } from '../../store/models/model-pins.ts'
import { onDisk } from '../../store/storage-error.ts'
import { type FetchWork, fetchFile } from '../models/manager/fetch-file.ts'
import { type DataPlan, throwGate } from './plan-fetch.ts'

// Fetches what is not here yet, file by file; after a stop the same call goes on in the middle of a file. Every file is held to the
// checksum of the hub before it gets its name, and pinned with its own.
export async function fetchDataSet(plan: DataPlan, work: FetchWork): Promise<DataLock> {
  const { dataset, to, commit, files, lock, pins } = plan
  await refuseFullDisk(plan)
  const client = hubClient(work.host, work.stallSeconds, 'dataset')
  const parts = partsFolder(to)
  const coming = files.filter(one => !one.here).map(({ file }) => file)
  const pinned: DataLock = {
    ...{ format: 1, dataset, revision: plan.revision ?? lock?.revision ?? 'main', commit },
    files: { ...pins.current },
  }
  for (const { file, here } of files)
    if (here) pinned.files[file.path] ??= await fileChecksum(join(to, file.path), work.host.signal)
  await onDisk(`make ${to}`, () => ensureFolder(to, 'umask'))
  for (const [at, file] of coming.entries()) {
    const { blob, sha256 } = await fetchFile(client, dataset, parts, commit, file, { ...work, access: 'umask' }).catch(
      error => throwGate(error, plan),
    )
    // A stop before the file is pinned must leave what it replaced known as ours.
    await writeDataLock(to, { ...pinned, ...stillBefore(plan, coming.slice(at)) })
    await placeDataFile(to, file.path, blob)
    pinned.files[file.path] = { bytes: file.bytes, sha256 }
    await writeDataLock(to, { ...pinned, ...stillBefore(plan, coming.slice(at + 1)) })
  }
  await writeDataLock(to, pinned)
  await removePartialFiles(to)
  return pinned
}

function stillBefore({ pins: { before } }: DataPlan, coming: readonly { path: string }[]): Pick<DataLock, 'replaced'> {
  const replaced = coming.flatMap(({ path }) => (before[path] ? [[path, before[path]] as const] : []))
  return replaced.length > 0 ? { replaced: Object.fromEntries(replaced) } : {}
}

async function refuseFullDisk({ bytes, to }: DataPlan): Promise<void> {
  if (bytes === 0) return
  const { folder, bytes: free } = await freeSpace(to)
  if (free >= bytes) return
  const gigabytes = (count: number) => `${(count / 1e9).toFixed(2)} GB`
  throw new StorageError(`The files need ${gigabytes(bytes)} and ${folder} has ${gigabytes(free)} free.`, {
    hint: 'Free some space, name a folder on another disk with --to, or fetch less with --what.',
  })
}
