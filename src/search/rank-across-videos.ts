import type { LibraryHit } from '../core/runtime.ts'
import type { Video } from '../core/video.ts'
import { fuseLists } from './fuse.ts'
import { nearDuplicate, withoutRepeats } from './near-duplicates.ts'
import { addSums } from './rank-text.ts'
import type { SearchHit } from './search-hit.ts'
import { computeRarity } from './text-index.ts'
import { asHit, type RankedVideo } from './video-index.ts'
import { withoutWeak } from './weak-hits.ts'

type Row = SearchHit & { video: Video }

// One ranking of what several videos hand over. Each list is ranked across all of them before the lists are fused, so that the
// best row of a video in which nothing fits does not stand beside the best row of one in which everything does.
// `whole` is how often words stand in all of the library, where `found` is a part of it.
export function mergeVideos(
  found: readonly RankedVideo[],
  max: number,
  { whole, onlyFitting }: { whole?: QueryWordCounts; onlyFitting?: boolean } = {},
): LibraryHit[] {
  const likeness = addSums(found.flatMap(({ lists }) => lists.likeness ?? []))
  const ranked = fuseLists<Row>(
    {
      words: wordList(found, whole ?? sumCounts(found)),
      meaning: byScore(collectRows(found, 'meaning')),
      picture: byScore(collectRows(found, 'picture')),
      ...(likeness && { likeness }),
    },
    row => `${row.video.id} ${row.evidence.id}`,
  )
  const fused = onlyFitting ? withoutWeak(ranked, likeness) : ranked
  const same = (a: { item: Row }, b: { item: Row }) =>
    a.item.video.id === b.item.video.id && nearDuplicate(a.item.evidence, b.item.evidence)
  return withoutRepeats(fused, same, max).map(({ item, score }) => ({ video: item.video, ...asHit(item, score) }))
}

// A word that is rare in one video may be common in the library. So each row keeps how well it holds its words, and the words
// are weighed anew by how many rows of all videos hold them.
function wordList(found: readonly RankedVideo[], { size, held }: QueryWordCounts): Row[] {
  const rarity = new Map([...held].map(([text, rows]) => [text, computeRarity(rows, size)]))
  const whole = sum(rarity.values())
  const rows = found.flatMap(video => {
    const ownRarity = new Map(video.words.map(word => [word.text, word.rarity]))
    return collectRows([video], 'words').map(row => {
      const weight = sum(row.terms.map(term => rarity.get(term) ?? 0))
      const growth = weight / sum(row.terms.map(term => ownRarity.get(term) ?? 0))
      const quotation = growth * (row.quotation ?? 0)
      return { ...row, score: growth * row.score, quotation, coverage: whole > 0 ? weight / whole : 0 }
    })
  })
  return byScore(rows)
}

export interface QueryWordCounts {
  size: number // rows
  held: ReadonlyMap<string, number> // words of a query, and how many rows hold each
}

function sumCounts(found: readonly RankedVideo[]): QueryWordCounts {
  const rowCounts = new Map<string, number>()
  for (const { words } of found)
    for (const { text, rows } of words) rowCounts.set(text, (rowCounts.get(text) ?? 0) + rows)
  return { size: found.reduce((sum, { rows }) => sum + rows, 0), held: rowCounts }
}

function collectRows(found: readonly RankedVideo[], list: 'words' | 'meaning' | 'picture'): Row[] {
  return found.flatMap(({ video, lists }) => lists[list].map(row => ({ ...row, video })))
}

function byScore(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.score - a.score)
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
