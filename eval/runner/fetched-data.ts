import { changedSince, lockName, readDataLock } from '../../src/store/models/data-lock.ts'
import type { BenchWorld } from '../bench-world.ts'
import { readMadeSet } from '../data/benchmark-json.ts'
import { findVideoRoot } from '../data/find-videos.ts'
import type { BenchRun } from './files/run-files.ts'

// Which revision of the data set lies there, if it was fetched by us, and what is other than it was then; that is said.
export async function fetchedData(
  data: string,
  { say, signal }: Pick<BenchWorld, 'say' | 'signal'>,
): Promise<BenchRun['fetched']> {
  const folder = await findVideoRoot(data)
  const lock = await readDataLock(folder)
  if (!lock) return undefined
  const { files, replaced = {}, dataset, commit } = lock
  const old = Object.keys(replaced)
  if (old.length > 0)
    say(
      `An update to ${commit.slice(0, 7)} was stopped: run bench fetch again. Of another revision: ${old.join(', ')}.`,
    )
  const changed = await changedSince(folder, files, signal)
  if (changed.length > 0) say(`Changed since it was fetched, by ${lockName}: ${changed.join(', ')}.`)
  return { dataset, commit, changed: [...changed, ...old] }
}

// How much of a made set people have seen, and their first answers, when a run of it begins.
export async function madeData(data: string): Promise<BenchRun['made']> {
  const set = await readMadeSet(await findVideoRoot(data))
  if (!set) return undefined
  const { items, of = set.counts.kept, humanOfSet: people } = set.reviewed
  return { reviewed: items, of, ...(people && people.answered + people.marked > 0 && { people }) }
}
