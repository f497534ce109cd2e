import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import { type Span, touches } from '../../../../src/core/time.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { isNotable } from '../../../../src/text/sounds.ts'
import { stems, tellingWords } from '../../../../src/text/words.ts'
import { isInformative } from '../match.ts'
import { isInSpan, isOnTracks } from '../question-parts.ts'
import { decline, quoteRows } from '../sentence.ts'
import { formAsked, slidesOfForm } from '../slides.ts'
import { listGroups } from './about.ts'
import { answerAbsent } from './absent.ts'

const maxSentences = 7

// Summarises the video, or the requested span, by its most central lines, spread over time.
export function answerSummary(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const texts = brief.evidence.filter(row => row.track === 'text' && isInSpan(asked, row))
  const titles = slidesOfForm(formAsked(asked.main), texts)
  if (asked.tracks.includes('text') && asked.unit === 'slide' && titles.length > 0) return listGroups(titles)
  const ledger = new Map(brief.evidence.map(row => [row.id, row]))
  const cited = (brief.overview?.chapters ?? [])
    .filter(chapter => isInSpan(asked, chapter))
    .flatMap(chapter => chapter.cites.map(id => ledger.get(id)).filter(row => row !== undefined))
  const usable = brief.evidence.filter(row => isInformative(row) && isNotable(row, asked.text) && isInSpan(asked, row))
  const rows = asked.span || cited.length === 0 ? usable : [...new Set(cited)]
  return rows.length > 0 ? summariseRows(rows, maxSentences) : answerAbsent(asked, brief, 'what it is about')
}

// Picks the most central row of each part, in the order of the video.
function summariseRows(rows: readonly Evidence[], count: number): Draft {
  const frequency = new Map<string, number>()
  for (const row of rows)
    for (const stem of new Set(stems(row.text))) frequency.set(stem, (frequency.get(stem) ?? 0) + 1)
  const weight = (row: Evidence) => {
    const words = tellingWords(row.text).filter(token => token.text.length > 2)
    const sum = words.reduce((total, token) => total + Math.log(1 + (frequency.get(token.stem) ?? 0)), 0)
    const kind = row.track === 'sound' ? 0.4 : row.track === 'text' ? 1.2 : 1
    return (sum / Math.sqrt(words.length + 3)) * kind
  }
  const ordered = [...rows].sort(byTime)
  const parts = Math.min(count, ordered.length)
  const chosen = Array.from({ length: parts }, (_, i) => {
    const slice = ordered.slice(
      Math.floor((i * ordered.length) / parts),
      Math.floor(((i + 1) * ordered.length) / parts),
    )
    return slice.reduce((best, row) => (weight(row) > weight(best) ? row : best))
  })
  return { sentences: chosen.map(row => quoteRows('', [row])), confidence: 0.55 }
}

// What is there at a moment or within a span.
export function answerAtTime(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const span = asked.span ?? { start: 0, end: brief.duration }
  const usable = brief.evidence
    .filter(row => isNotable(row, asked.text))
    .filter(row => row.track !== 'summary' && row.track !== 'claim' && row.track !== 'shot')
    .filter(row => isOnTracks(asked, row))
  const there = usable.filter(row => touches(row.span, span)).sort(byTime)
  if (there.length > 6) return summariseRows(there, 6)
  if (there.length > 0) return { sentences: there.map(row => quoteRows('', [row])), confidence: 0.75 }
  const near = [...usable]
    .sort((a, b) => away(a.span.start, span) - away(b.span.start, span))
    .slice(0, 2)
    .sort(byTime)
  if (near.length === 0) return answerAbsent(asked, brief, 'that moment')
  const text = 'Nothing is said, shown as text or heard just then, as far as it is indexed.'
  return decline(text, 0.4, ...near.map(row => quoteRows('The nearest', [row])))
}

function away(time: number, span: Span): number {
  return time < span.start ? span.start - time : Math.max(0, time - span.end)
}
