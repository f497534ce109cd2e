import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import { overlap, touches } from '../../../../src/core/time.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { isNotable } from '../../../../src/text/sounds.ts'
import { type AnchorMoment, anchorMoments } from '../anchor-moments.ts'
import { directAnswer } from '../extract.ts'
import { scoreMatch, topicShare } from '../match.ts'
import { targetTracks } from '../question-parts.ts'
import { type CitedSentence, decline, quoteEvidence, quoteRows, shortLine } from '../sentence.ts'
import { formAsked, slidesIn, slidesOfForm } from '../slides.ts'
import { answerAbsent } from './absent.ts'
import { stated } from './stated.ts'

const slack = 0.35 // seconds by which two tracks may differ for the same moment

// What comes directly before or after a moment.
export function answerNeighbour(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const { anchor } = asked
  const moments = anchorMoments(asked, brief.evidence)
  const moment = moments.find(one => candidates(asked, brief.evidence, one).length > 0) ?? moments[0]
  if (!anchor || !moment) return withoutMoment(asked, brief)
  const rest = anchor.relation === 'after' && moment.rest && targets(asked, 'speech') ? moment.rest : undefined
  const rows = formed(asked, candidates(asked, brief.evidence, moment), brief.evidence)
  const next = chooseNeighbours(asked, rows, moment)
  const named = naming('The moment asked about', moment)
  const within: CitedSentence[] =
    rest && moment.row ? [{ text: `"${shortLine(rest)}", in the same line`, cites: [moment.row.id] }] : []
  if (next.length === 0 && within.length === 0)
    return decline(`Nothing comes ${anchor.relation} it, as far as it is indexed.`, 0.4, ...named)
  return {
    sentences: [...within, ...ledBy(asked, next), ...named],
    confidence: moments.length === 1 ? 0.75 : 0.6,
  }
}

// What is there while something else is.
export function answerDuring(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const moments = anchorMoments(asked, brief.evidence).slice(0, 3)
  const [first] = moments
  if (!first) {
    const plain = asked.topic.terms.length > 0 ? stated({ ...asked, anchor: undefined }, brief) : undefined
    return plain && !plain.abstained ? plain : withoutMoment(asked, brief)
  }
  const sets = moments.map(moment => {
    const around = { start: moment.start - 0.1, end: moment.end + 0.1 }
    const rows = brief.evidence
      .filter(row => row.track !== 'shot' && mayBeNear(asked, row, moment) && touches(row.span, around))
      .sort((a, b) => overlap(b.span, moment) - overlap(a.span, moment))
    return { moment, rows: mostlyDuring(rows, moment) }
  })
  const best = sets.find(set => set.rows.length > 0)
  if (!best) {
    const text = 'Nothing of that kind was found at that moment, as far as it is indexed.'
    return decline(text, 0.5, ...naming('Meanwhile', first))
  }
  const rows = best.rows.slice(0, 4).sort(byTime)
  const fitting =
    asked.topic.terms.length > 0 ? rows.filter(row => topicShare(asked.topic, row.text, row.track) >= 0.4) : []
  return {
    sentences: [...ledBy(asked, fitting.length > 0 ? fitting : rows), ...naming('Meanwhile', best.moment)],
    confidence: 0.75,
  }
}

// The moment itself was not found.
function withoutMoment(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const { topic, tracks } = asked.anchor ?? asked
  return answerAbsent({ ...asked, topic, tracks }, brief)
}

function naming(lead: string, { row }: AnchorMoment): CitedSentence[] {
  return row ? [{ text: `${lead}: ${quoteEvidence(row, 120)}`, cites: [row.id] }] : []
}

// A sentence for each row; the first starts with the short answer if the question names a topic.
function ledBy(asked: ParsedQuestion, rows: readonly Evidence[]): CitedSentence[] {
  const names = asked.topic.terms.length > 0 && asked.wants !== 'value'
  return rows.map((row, i) => {
    const direct = i === 0 && names ? directAnswer(asked.text, asked.wants, asked.topic, row.text) : undefined
    return quoteRows(direct ?? '', [row])
  })
}

// Drops rows that barely overlap the moment, if others fill it.
function mostlyDuring(rows: Evidence[], moment: AnchorMoment): Evidence[] {
  const mostly = rows.filter(row => {
    const shorter = Math.min(moment.end - moment.start, row.span.end - row.span.start)
    return overlap(row.span, moment) >= shorter * 0.5
  })
  return mostly.length > 0 ? mostly : rows
}

function candidates(asked: ParsedQuestion, rows: readonly Evidence[], moment: AnchorMoment): Evidence[] {
  const later = asked.anchor?.relation === 'after'
  return rows
    .filter(row => mayBeNear(asked, row, moment) && !['shot', 'summary', 'claim'].includes(row.track))
    .filter(row => (later ? startsAfter(row, moment) : endsBefore(row, moment)))
    .sort((a, b) => (later ? byTime(a, b) : b.span.end - a.span.end || byTime(b, a)))
}

// Keeps only texts of the requested form: "the last sign" is not a slide.
function formed(asked: ParsedQuestion, rows: Evidence[], all: readonly Evidence[]): Evidence[] {
  const texts = slidesOfForm(
    formAsked(asked.main),
    all.filter(row => row.track === 'text'),
  ).flat()
  const fitting = rows.filter(row => row.track !== 'text' || texts.includes(row))
  return fitting.length > 0 ? fitting : rows
}

// Text shown together with the anchor is not the next text; speech may start while a sound still rings.
function startsAfter(row: Evidence, moment: AnchorMoment): boolean {
  if (row.track === moment.row?.track) return row.span.start > moment.start && row.span.start >= moment.end - 1.5
  return row.span.start >= moment.end - slack || (row.span.start > moment.start + slack && row.track === 'text')
}

function endsBefore(row: Evidence, moment: AnchorMoment): boolean {
  if (row.track === moment.row?.track) return row.span.start < moment.start && row.span.end <= moment.start + 1.5
  return row.span.end <= moment.start + slack
}

// The nearest row with what is on screen beside it; among near rows, one that matches the question's own words comes
// first.
function chooseNeighbours(asked: ParsedQuestion, rows: readonly Evidence[], moment: AnchorMoment): Evidence[] {
  const groups = asked.unit === 'slide' ? slidesIn(rows.filter(row => row.track === 'text')) : rows.map(row => [row])
  const ordered = asked.anchor?.relation === 'before' && asked.unit === 'slide' ? groups.reverse() : groups
  const first = typeof asked.nth === 'number' && asked.nth > 1 ? ordered[asked.nth - 1]?.[0] : rows[0]
  if (!first) return []
  if (asked.topic.terms.length > 0) {
    const near = rows.filter(row => Math.abs(row.span.start - moment.start) <= 60)
    const fitting = near.map(row => scoreMatch([row], asked)).filter(match => match.score >= 0.5)
    if (fitting[0]) return fitting[0].rows
  }
  const beside = rows.filter(
    row =>
      row !== first &&
      row.track === first.track &&
      first.track === 'text' &&
      overlap(row.span, first.span) > 0.5 * (row.span.end - row.span.start),
  )
  return [first, ...beside.slice(0, 3)]
}

function targets(asked: ParsedQuestion, track: Evidence['track']): boolean {
  return targetTracks(asked).includes(track)
}

// A row other than the moment's own that may answer what is near it.
function mayBeNear(asked: ParsedQuestion, row: Evidence, moment: AnchorMoment): boolean {
  if (row.id === moment.row?.id || !targets(asked, row.track) || !isNotable(row, asked.text)) return false
  return !asked.speaker || row.track !== 'speech' || row.speaker === asked.speaker
}
