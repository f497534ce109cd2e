import type { LibrarySearch } from '../../core/library.ts'
import type { SearchQuery } from '../../core/video.ts'
import { isPartial } from '../../core/video.ts'
import type { Call } from '../call.ts'
import { libraryDocument } from '../documents.ts'
import { exitCodes } from '../fail.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { evidenceLine } from '../show/evidence-line.ts'
import { result, watching } from '../watching.ts'

// One ranking over every video that has an index; what could not be searched is named.
export async function searchAll(call: Call, query: SearchQuery): Promise<number> {
  const runtime = await call.runtime()
  const found = await watching(call, watch => runtime.searchAll(query, { watch, signal: call.signal }))
  result(
    call,
    () => libraryDocument(found, runtime.profile.name),
    () => [...hitLines(found, query, call), '', ...lookedAt(found).map(call.terminal.dim)],
  )
  const whole = found.notSearched.length === 0 && !found.searched.some(({ coverage }) => isPartial(coverage))
  return whole ? exitCodes.ok : exitCodes.partial
}

function hitLines({ hits, searched }: LibrarySearch, query: SearchQuery, call: Call): string[] {
  if (searched.length === 0) return ['There is no video to search: none has an index.']
  if (hits.length === 0) return [`Nothing was found for "${oneLine(query.query)}".`]
  return hits.map(({ video, evidence, lists }) => {
    const from = call.terminal.dim(`by ${lists.join(' and ')}`)
    return `${fileName(video.name)} ${evidenceLine(evidence)} ${from}`
  })
}

function lookedAt({ searched, notSearched }: LibrarySearch): string[] {
  const partly = searched.filter(({ coverage }) => isPartial(coverage))
  return [
    `Searched: ${searched.length} of ${searched.length + notSearched.length} known videos`,
    ...partly.map(({ video }) => `Note: ${fileName(video.name)}: a part of it could not be looked at (longtake show).`),
    ...notSearched.map(
      ({ id, video, why, mend }) => `Not searched: ${fileName(video?.name ?? id)}: ${fileName(why)}. ${fileName(mend)}`,
    ),
  ]
}
