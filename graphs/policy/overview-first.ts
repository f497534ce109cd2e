import type { Evidence } from '../../src/core/evidence.ts'
import type { VideoIndex } from '../../src/core/video.ts'

// The rows that the overview rests on: they are in the ledger before the first call, so that it can be cited.
export function overviewRows(index: VideoIndex): Evidence[] {
  const cited = index.overview.chapters.flatMap(chapter => chapter.cites.slice(0, 2))
  return cited.map(id => index.byId(id)).filter(row => row !== undefined)
}
