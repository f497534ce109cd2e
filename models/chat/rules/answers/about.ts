import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Track } from '../../../../src/core/evidence.ts'
import { distinctRows, type RowGroup } from '../../../../src/text/occurrences.ts'
import { pickNth } from '../../../../src/text/question/nth.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { isNotable } from '../../../../src/text/sounds.ts'
import { rankRows } from '../match.ts'
import { isInSpan, isOnTracks } from '../question-parts.ts'
import { capitalize, quoteEvidence, quoteRows, shortLine } from '../sentence.ts'
import { formAsked, slidesOfForm, slideTitle } from '../slides.ts'
import { answerAbsent } from './absent.ts'
import { speakers } from './count.ts'
import { minHeld } from './stated.ts'

// Everything that is said or shown about a topic, in the order of the video.
export function answerAbout(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const ranked = rankRows(asked, brief.evidence).filter(match => match.score >= minHeld)
  const best = ranked[0]
  if (!best) return answerAbsent(asked, brief)
  const rows = [...new Set(ranked.filter(match => match.rank >= best.rank - 0.3).flatMap(match => match.rows))]
  const preferred = rows.filter(row => isOnTracks(asked, row))
  const quotes = (preferred.length > 0 ? preferred : rows).slice(0, 5).sort(byTime)
  return { sentences: quotes.map(row => quoteRows('', [row])), confidence: Math.min(0.9, 0.4 + 0.45 * best.score) }
}

// What is written, said or heard, for a question without a topic: everything, or the first, the third, the last.
export function answerContents(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const tracks = asked.tracks.length > 0 ? asked.tracks : (['text', 'speech'] as const)
  const rows = brief.evidence.filter(row => tracks.some(track => track === row.track) && isInSpan(asked, row))
  const notable = rows.filter(row => isNotable(row, asked.text))
  const groups =
    asked.unit === 'slide'
      ? slidesOfForm(
          formAsked(asked.main),
          notable.filter(row => row.track === 'text'),
        )
      : distinctRows(notable).map(one => one.rows)
  if (groups.length === 0) return answerAbsent(asked, brief, unitName(asked))
  if (asked.nth !== undefined) {
    const nthGroup = pickNth(groups, asked.nth)
    if (nthGroup) return { sentences: [quoteRows('', nthGroup)], confidence: 0.75 }
    const firstRows = groups.flat().slice(0, 20)
    const sentence = { text: `There are only ${groups.length} of them.`, cites: firstRows.map(row => row.id) }
    return { sentences: [sentence], abstained: true, confidence: 0.6 }
  }
  if (asked.wants === 'person' && tracks.some(track => track === 'speech')) return speakers(asked, brief, rows)
  if (/\b(titles|headings)\b/i.test(asked.text) || /\b(list|all|which topics|what topics)\b/i.test(asked.text))
    return listGroups(groups)
  const selection = spread(groups, 6)
  return {
    sentences: selection.map(group => ({ text: capitalize(quoteEvidence(group[0])), cites: group.map(row => row.id) })),
    confidence: groups.length <= 3 ? 0.75 : 0.5,
  }
}

// Lists all groups in one sentence, each by its first line.
export function listGroups(groups: readonly RowGroup[]): Draft {
  const listedGroups = spread(groups, 40)
  const titles = listedGroups.map(group => `"${shortLine(slideTitle(group), 80)}"`)
  return {
    sentences: [
      { text: titles.join(', '), cites: listedGroups.flatMap(group => group.slice(0, 4).map(row => row.id)) },
    ],
    confidence: 0.65,
  }
}

function unitName(asked: ParsedQuestion): string {
  const names: Partial<Record<Track, string>> = {
    speech: 'speech',
    text: 'text on screen',
    sound: 'sound',
    picture: 'a picture',
    shot: 'shots',
    caption: 'what is seen',
    person: 'people',
  }
  return asked.tracks.length > 0 ? asked.tracks.map(track => names[track] ?? 'words').join(' or ') : 'words'
}

// Picks at most `max` items, spread evenly.
function spread<Item>(items: readonly Item[], max: number): Item[] {
  if (items.length <= max) return [...items]
  return Array.from({ length: max }, (_, i) => items.slice(Math.floor((i * items.length) / max))).flatMap(rest =>
    rest.slice(0, 1),
  )
}
