import { type FoundVideo, knownVideo } from '../../src/core/library.ts'
import type { LibrarySearch } from '../../src/core/runtime.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { tokens } from '../../src/text/words.ts'

// A video counts by its best rows, by how high the search places each and how many of the words it holds: the second counts half as
// much as the first, and so on, so that a long video does not win by its length. Its name counts too, which people ask for.
export function rankVideos({ hits, searched }: Pick<LibrarySearch, 'hits' | 'searched'>, query: string): FoundVideo[] {
  const top = hits[0]?.score ?? 1
  const videos = new Map<string, FoundVideo & { next: number }>()
  const named = namedIn(query)
  for (const { video } of searched) {
    const score = forName * named(video.name)
    if (score > 0) videos.set(video.id, { video: knownVideo(video), score, rows: [], next: 0.5 })
  }
  for (const { video, evidence, score, coverage = 0 } of hits) {
    const entry = videos.get(video.id) ?? { video: knownVideo(video), score: 0, rows: [], next: 0.5 }
    entry.score += (score / top) * (forPlace + (1 - forPlace) * coverage) * entry.next
    entry.next /= 2
    entry.rows.push(evidence.id)
    videos.set(video.id, entry)
  }
  return [...videos.values()].sort((a, b) => b.score - a.score).map(({ next: _, ...found }) => found)
}

const forPlace = 0.3 // of what a row is worth that holds none of the words: it was found by its likeness
const forName = 0.5 // of a name that holds all words

function namedIn(query: string): (name: string) => number {
  const asked = contentWords(query)
  return name => {
    const words = tokens(name.replace(/\.\w{1,5}$/, '').replace(/[-_.]+/g, ' ')).filter(word => word.text.length > 2)
    return asked.length === 0 || words.length === 0 ? 0 : Math.max(0, coverage(asked, words) - 0.1)
  }
}
