import { byTime, type Evidence } from '../core/evidence.ts'
import { overlap, spanLength } from '../core/time.ts'
import type { SearchQuery } from '../core/video.ts'
import { nearDuplicate } from './near-duplicates.ts'
import type { SearchHit, SearchLists } from './search-hit.ts'
import { holdsEnough } from './weak-hits.ts'

// Rows of these tracks are about a stretch of the video and not of a moment in it.
const stretches = ['summary', 'shot', 'claim']

// What begins this close together on two tracks is one moment: a word that is spoken and shown.
const together = 3

interface Moment {
  rows: SearchHit[] // best first
}

// The nth moment in time order that fits as well as the best does; undefined if there are fewer.
export function nthMoment(lists: SearchLists, query: SearchQuery, nth: number): Moment | undefined {
  const moments: Moment[] = []
  const fittingRows = fits(lists, query)
  const momentary = fittingRows.filter(row => query.tracks || !stretches.includes(row.evidence.track))
  const fitting = (momentary.length > 0 ? momentary : fittingRows).sort(
    (a, b) => byTime(a.evidence, b.evidence) || (a.evidence.id < b.evidence.id ? -1 : 1),
  )
  for (const row of fitting) {
    const same = moments.slice(-8).find(moment => moment.rows.some(other => sameMoment(other.evidence, row.evidence)))
    if (same) same.rows.push(row)
    else moments.push({ rows: [row] })
  }
  const moment = moments[nth - 1]
  return moment && { rows: moment.rows.sort((a, b) => b.score - a.score || byTime(a.evidence, b.evidence)) }
}

// Rows that hold as much of the query as the best one. If none holds most of the words, pictures and meaning count before them.
function fits({ words, meaning, picture }: SearchLists, { onlyFitting }: SearchQuery): SearchHit[] {
  const best = Math.max(0, ...words.map(row => row.coverage))
  const otherRows = [...meaning, ...picture]
  const wordRows = words.filter(row => row.coverage >= best - 1e-9 && (!onlyFitting || holdsEnough(row)))
  return best >= 0.5 || otherRows.length === 0 ? wordRows : otherRows
}

function sameMoment(a: Evidence, b: Evidence): boolean {
  if (a.track !== b.track) return Math.abs(a.span.start - b.span.start) <= together
  if (a.track === 'picture') return b.span.start - a.span.end <= 1
  if (a.track === 'text') return nearDuplicate(a, b)
  return overlap(a.span, b.span) > Math.min(spanLength(a.span), spanLength(b.span)) / 2
}
