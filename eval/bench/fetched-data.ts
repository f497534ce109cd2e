import { changedSince, lockName, readDataLock } from '../../src/store/models/data-lock.ts'
import { rootOf } from '../data/find-videos.ts'
import type { BenchRun } from '../runner/run-files.ts'
import type { BenchWorld } from './bench-request.ts'

// Which revision of the data set lies there, if it was fetched by us, and what is other than it was then; that is said.
export async function fetchedData(
  data: string,
  { say, signal }: Pick<BenchWorld, 'say' | 'signal'>,
): Promise<BenchRun['fetched']> {
  const folder = await rootOf(data)
  const lock = await readDataLock(folder)
  if (!lock) return undefined
  const changed = await changedSince(folder, lock, signal)
  if (changed.length > 0) say(`Changed since it was fetched, by ${lockName}: ${changed.join(', ')}.`)
  return { dataset: lock.dataset, commit: lock.commit, changed }
}
