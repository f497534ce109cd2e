import { UsageError } from '../../../src/core/errors.ts'
import { fetchDataSet } from '../../../src/runtime/data-set/fetch-data-set.ts'
import { type DataPlan, planFetch } from '../../../src/runtime/data-set/plan-fetch.ts'
import type { DownloadProgress, FetchWork } from '../../../src/runtime/models/manager/fetch-file.ts'
import type { Benchmark } from '../benchmark.ts'
import { type DataGuide, type DataPart, dataParts } from '../data-guide.ts'
import { loadBenchmark } from '../index.ts'

interface FetchRequest {
  benchmark: string
  what: readonly DataPart[]
  split?: string
  revision?: string
  to: string
}

export interface DataFetch {
  plan: DataPlan
  videos: string // how they are handed out
  elsewhere?: string
  notes: string[] // to be known before it is fetched
  carryOut(): Promise<void>
}

type DataWork = Pick<FetchWork, 'host' | 'retrySeconds'> & { onProgress(progress: DownloadProgress): void }

// What a fetch of a benchmark's data would bring; nothing is fetched before it is carried out.
export async function openFetch(
  { benchmark, what, split, ...where }: FetchRequest,
  work: DataWork,
): Promise<DataFetch> {
  const { guide, notes, ...wanted } = wantedParts(await loadBenchmark(benchmark), what, split)
  const { dataset, terms, videos, elsewhere } = guide
  const plan = await planFetch({ dataset, terms, ...wanted, ...where }, work)
  return {
    plan,
    videos,
    elsewhere,
    notes: [...notes, ...revisionNotes(plan)],
    async carryOut() {
      await fetchDataSet(plan, work)
    },
  }
}

function revisionNotes({ dataset, commit, lock, changes, updated, gone, to }: DataPlan): string[] {
  const [at, before] = [commit.slice(0, 7), lock?.commit.slice(0, 7)]
  const stays = `It stays at ${before}; --revision ${lock?.revision} goes on to the new one.`
  return [
    ...(changes.length > 0
      ? [`${dataset} has changed since it was pinned at ${before}: ${some(changes)}. ${stays}`]
      : []),
    ...(updated.length > 0
      ? [
          `All that was fetched into ${to} before is brought to ${at} too, for a folder is of one revision: ${some(updated)}.`,
        ]
      : []),
    ...(gone.length > 0
      ? [`${at} lacks what was fetched before: ${some(gone)}. It stays in ${to} without being pinned; remove it.`]
      : []),
  ]
}

function some(names: readonly string[]): string {
  const more = names.length > 5 ? `; and ${names.length - 5} more` : ''
  return `${names.slice(0, 5).join('; ')}${more}`
}

interface WantedParts {
  guide: DataGuide
  parts: { name: string; patterns: string[] }[] // paths of files, * for any name
  notes: string[]
}

// The files of these parts of a benchmark's data, as its guide names them.
export function wantedParts(
  { name, about: { guide } }: Pick<Benchmark, 'name' | 'about'>,
  parts: readonly DataPart[],
  split?: string,
): WantedParts {
  if (!guide)
    throw new UsageError(`${name} is not fetched.`, {
      hint: `"longtake bench show ${name}" says where its data come from.`,
    })
  const guideParts = parts.map(part => ({ part, ...choosePart(name, guide, part, split) }))
  return {
    guide,
    parts: guideParts.map(({ part, files }) => ({ name: part, patterns: files })),
    notes: guideParts.flatMap(({ part, note }) => (note === undefined ? [] : [`${part}: ${note}.`])),
  }
}

function choosePart(name: string, guide: DataGuide, part: DataPart, split?: string) {
  const guidePart = guide.parts[part]
  if (!guidePart) {
    const there = dataParts.filter(one => guide.parts[one])
    throw new UsageError(`${name} hands out no ${part}: ${guide.videos}.`, {
      hint: `It has ${there.join(', ')}.${part === 'videos' ? ` "longtake bench videos ${name}" lists addresses.` : ''}`,
    })
  }
  const { files, ofSplit = {}, note } = guidePart
  if (split === undefined || (part !== 'annotations' && !guidePart.ofSplit)) return { files, note }
  const chosen = Object.hasOwn(ofSplit, split) ? ofSplit[split] : undefined
  if (chosen) return { files: chosen, note }
  const splits = Object.keys(ofSplit)
  throw new UsageError(`The files of ${name} are not known by a split "${split}".`, {
    hint: splits.length > 0 ? `Known are ${splits.join(', ')}.` : 'Leave --split out.',
  })
}
