import type { Evidence, Track } from '../../src/core/evidence.ts'
import type { Hit, VideoIndex } from '../../src/core/video.ts'

// How the published agents in this folder retrieve, over our search.

const depth = 100 // hits of one query

// Of meaning if the index has vectors, else the share of the query's words that a row holds.
function measureFit({ likeness, coverage = 1 }: Hit): number {
  return likeness ?? coverage
}

// All rows that fit any of the queries well enough.
export async function fittingRows(
  index: VideoIndex,
  queries: readonly string[],
  track: Track,
  threshold: number,
): Promise<Evidence[]> {
  const lists = await Promise.all(queries.map(query => index.search({ query, tracks: [track], k: depth })))
  const hits = lists.flat().filter(hit => measureFit(hit) >= threshold)
  return [...new Map(hits.map(({ evidence }) => [evidence.id, evidence])).values()]
}

// The clips of equal length that fit all queries best, by their numbers from 0: the mean over the queries of how well the best row of
// a clip ranks.
export async function rankClips(
  index: VideoIndex,
  queries: readonly string[],
  { seconds, k, tracks }: { seconds: number; k: number; tracks?: Track[] },
): Promise<number[]> {
  const scores = new Map<number, number>()
  for (const query of queries) {
    const hits = await index.search({ query: query.slice(0, 500), tracks, k: depth })
    const clips = [...new Set(hits.map(({ evidence }) => Math.floor(evidence.span.start / seconds)))]
    for (const [rank, clip] of clips.entries()) scores.set(clip, (scores.get(clip) ?? 0) + 1 / (rank + 1))
  }
  return [...scores.keys()].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b).slice(0, k)
}

export function clipSpan(clip: number, seconds: number, { coverage: { duration } }: VideoIndex) {
  return { start: Math.min(clip * seconds, duration), end: Math.min((clip + 1) * seconds, duration) }
}
