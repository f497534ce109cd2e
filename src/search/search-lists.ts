import { UsageError } from '../core/errors.ts'
import type { Evidence } from '../core/evidence.ts'
import type { StoredVectors, VectorIndex } from '../core/services.ts'
import { type Span, touches } from '../core/time.ts'
import type { SearchQuery, Shot, Still, Video } from '../core/video.ts'
import type { EvidenceList } from './evidence-list.ts'
import { withoutRepeats } from './near-duplicates.ts'
import type { LikenessSums, SearchHit } from './search-hit.ts'
import type { StillEvidence } from './still-evidence.ts'
import type { TextIndex } from './text-index.ts'

// Vectors of the stills and the encoder of their space; nothing of it is opened before a search needs it.
export interface PictureSearch {
  by: string // "embed-image/siglip"
  minLikeness?(): Promise<number | undefined> // below it a picture does not show what a query says
  index(): Promise<VectorIndex> // keys are places in `stills`
  vectorOf(still: number): Promise<Float32Array | undefined>
  encode(query: string): Promise<Float32Array | undefined> // undefined: it cannot express this query
}

export interface MeaningSearch {
  by: string
  index(): Promise<StoredVectors> // keys are places in `ids`
  ids(): Promise<string[]> // of evidence
  encode(query: string): Promise<Float32Array | undefined>
}

// `all`: every row that fits, for counting moments; else about as many as a search shows.
export type HowMany = number | 'all'

export async function foundByWords(
  query: SearchQuery,
  howMany: HowMany,
  rows: EvidenceList,
  index: TextIndex,
): Promise<SearchHit[]> {
  const limit = howMany === 'all' || query.speaker !== undefined ? index.size : howMany // the index does not know who speaks
  const wordHits = index.search(query.query, { ...query, limit }).flatMap(({ id, ...hit }) => {
    const evidence = rows.byId(id)
    return evidence && isBy(query, evidence) ? [{ evidence, lists: ['words'], ...hit }] : []
  })
  return howMany === 'all' ? wordHits : wordHits.slice(0, howMany)
}

interface FoundByMeaning {
  items: SearchHit[]
  sums: LikenessSums // of any rows, those that the query leaves out too
  likenessOf(id: string): number | undefined
}

export async function foundByMeaning(
  query: SearchQuery,
  howMany: HowMany,
  rows: EvidenceList,
  meaning: MeaningSearch,
): Promise<FoundByMeaning | undefined> {
  const vector = await meaning.encode(query.query)
  if (!vector) return undefined
  const [index, ids] = await Promise.all([meaning.index(), meaning.ids()])
  const row = (key: number) => rows.byId(ids[key] ?? '')
  const near = index.search(vector, howMany === 'all' ? index.size : howMany, key => {
    const evidence = row(key)
    return (
      evidence !== undefined &&
      (!query.tracks || query.tracks.includes(evidence.track)) &&
      isBy(query, evidence) &&
      inTime(query, evidence.span)
    )
  })
  const items = (howMany === 'all' ? outstanding(near) : near).flatMap(({ key, score }) => {
    const evidence = row(key)
    return evidence ? [{ evidence, lists: ['meaning'], score, likeness: score, terms: [], coverage: 0 }] : []
  })
  const likeness = (key: number) => {
    const other = index.vector(key)
    return other?.reduce((sum, value, at) => sum + value * vector[at]!, 0)
  }
  return { items, sums: sumLikeness(ids.length, likeness), likenessOf: id => likeness(ids.indexOf(id)) }
}

const maxSample = 1000 // rows, which tell a distribution well enough

function sumLikeness(size: number, likeness: (key: number) => number | undefined): LikenessSums {
  const sums = { rows: size, sum: 0, squares: 0 }
  const step = Math.max(1, size / maxSample)
  const share = size / Math.ceil(size / step)
  for (let at = 0; at < size; at += step) {
    const value = likeness(Math.floor(at)) ?? 0
    sums.sum += value * share
    sums.squares += value ** 2 * share
  }
  return sums
}

export async function foundByPicture(
  query: SearchQuery,
  howMany: HowMany,
  { video, stills, shots }: { video: Video; stills: Still[]; shots: Shot[] },
  pictures: StillEvidence,
  search: PictureSearch,
): Promise<SearchHit[]> {
  const frameId = query.frame === undefined ? undefined : pictures.at(query.frame)
  const vector = frameId === undefined ? await search.encode(query.query) : await search.vectorOf(frameId)
  if (!vector && query.frame !== undefined)
    throw new UsageError(`${video.name} has no indexed picture near ${query.frame} s.`)
  if (!vector) return []
  const index = await search.index()
  // The frame that was asked about is known already: what is wanted is where else it is seen.
  const near = index.search(vector, howMany === 'all' ? index.size : Math.min(index.size, howMany * 4), key => {
    const isShown = key < stills.length && key !== frameId && inTime(query, pictures.span(key))
    return isShown && (howMany === 'all' || !isRepeat(stills, key))
  })
  const least = query.onlyFitting && frameId === undefined ? ((await search.minLikeness?.()) ?? -1) : -1
  const similar = near.filter(({ score }) => score >= least)
  const chosen =
    howMany === 'all'
      ? outstanding(similar)
      : withoutRepeats(similar, (a, b) => samePicture(stills[a.key]!, stills[b.key]!, shots), howMany)
  return chosen.map(({ key, score }) => ({
    evidence: pictures.row(key),
    lists: ['picture'],
    score,
    likeness: score,
    terms: [],
    coverage: 0,
  }))
}

function isBy({ speaker }: SearchQuery, row: Evidence): boolean {
  return speaker === undefined || row.speaker === speaker
}

function inTime({ span, after, before }: SearchQuery, row: Span): boolean {
  return (
    (!span || touches(row, span)) &&
    (after === undefined || row.start >= after) &&
    (before === undefined || row.start < before)
  )
}

// A nearest one exists whether it fits or not. Those count as fitting that lie nearer to the best than to the mean.
function outstanding<Item extends { score: number }>(near: Item[]): Item[] {
  const best = near[0]?.score ?? 0
  const mean = near.reduce((sum, { score }) => sum + score, 0) / near.length
  return near.filter(({ score }) => score >= (best + mean) / 2)
}

// Kept because time went by: the one before it shows the same.
function isRepeat(stills: readonly Still[], at: number): boolean {
  return stills[at]?.reason === 'interval' && stills[at - 1]?.shot === stills[at]?.shot
}

// Stills this close are one moment; within one shot the picture changes little, so there it may be longer.
function samePicture(a: Still, b: Still, shots: readonly Shot[]): boolean {
  const apart = Math.abs(a.time - b.time)
  return apart <= 3 || (a.shot === b.shot && shots[a.shot] !== undefined && apart <= 10)
}
