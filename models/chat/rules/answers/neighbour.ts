import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import { overlap, touches } from '../../../../src/core/time.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { isNotable } from '../../../../src/text/sounds.ts'
import { type AnchorMoment, anchorMoments } from '../anchor-moments.ts'
import { directAnswer } from '../extract.ts'
import { held, matchOf } from '../match.ts'
import { type DraftSentence, oneLine, quoted, saying } from '../sentence.ts'
import { slidesIn } from '../slides.ts'
import { targetTracks } from '../target-tracks.ts'
import { formAsked, slidesOfForm } from '../text-form.ts'
import { absent } from './absent.ts'
import { stated } from './stated.ts'

const slack = 0.35 // seconds by which two tracks may disagree about the same moment

// What comes right before or after a moment.
export function neighbour(asked: Asked, brief: WriteBrief): Draft {
  const anchor = asked.anchor!
  const moments = anchorMoments(asked, brief.evidence)
  if (moments.length === 0) return absent({ ...asked, topic: anchor.topic, tracks: anchor.tracks }, brief)
  const moment = moments.find(one => candidates(asked, brief.evidence, one).length > 0) ?? moments[0]
  const rest = anchor.relation === 'after' && moment.rest && targets(asked, 'speech') ? moment.rest : undefined
  const rows = formed(asked, candidates(asked, brief.evidence, moment), brief.evidence)
  const next = chosenOf(asked, rows, moment)
  const named = moment.row
    ? [{ text: `The moment asked about: ${quoted(moment.row, 120)}`, cites: [moment.row.id] }]
    : []
  const within: DraftSentence[] =
    rest && moment.row ? [{ text: `"${oneLine(rest)}", in the same line`, cites: [moment.row.id] }] : []
  if (next.length === 0 && within.length === 0)
    return {
      sentences: [{ text: `Nothing comes ${anchor.relation} it, as far as it is indexed.`, cites: [] }, ...named],
      abstained: true,
      confidence: 0.4,
    }
  const direct = next.length > 0 ? directAnswer(asked.text, asked.wants, asked.topic, next[0].text) : undefined
  const wanted = direct && asked.topic.terms.length > 0 && asked.wants !== 'value' ? direct : ''
  return {
    sentences: [...within, ...next.map((row, i) => saying(i === 0 ? wanted : '', [row])), ...named],
    confidence: moments.length === 1 ? 0.75 : 0.6,
  }
}

// What is there at the same time as something else.
export function during(asked: Asked, brief: WriteBrief): Draft {
  const anchor = asked.anchor!
  const moments = anchorMoments(asked, brief.evidence)
  if (moments.length === 0) {
    const plain = asked.topic.terms.length > 0 ? stated({ ...asked, anchor: undefined }, brief) : undefined
    return plain && !plain.abstained ? plain : absent({ ...asked, topic: anchor.topic, tracks: anchor.tracks }, brief)
  }
  const tracks = targetTracks(asked)
  const sets = moments
    .slice(0, 3)
    .map(moment => ({
      moment,
      rows: brief.evidence
        .filter(
          row =>
            tracks.includes(row.track) &&
            byAsked(asked, row) &&
            isNotable(row, asked.text) &&
            row.id !== moment.row?.id &&
            row.track !== 'shot',
        )
        .filter(row => touches(row.span, { start: moment.start - 0.1, end: moment.end + 0.1 }))
        .sort((a, b) => overlap(b.span, moment) - overlap(a.span, moment)),
    }))
    .map(({ moment, rows }) => ({ moment, rows: mostlyDuring(rows, moment) }))
  const best = sets.find(set => set.rows.length > 0)
  const named = (moment: AnchorMoment) =>
    moment.row ? [{ text: `Meanwhile: ${quoted(moment.row, 120)}`, cites: [moment.row.id] }] : []
  if (!best) {
    const [first] = moments
    return {
      sentences: [
        { text: `Nothing of that kind was found at that moment, as far as it is indexed.`, cites: [] },
        ...named(first),
      ],
      abstained: true,
      confidence: 0.5,
    }
  }
  const rows = best.rows.slice(0, 4).sort(byTime)
  const fitting = asked.topic.terms.length > 0 ? rows.filter(row => held(asked.topic, row.text, row.track) >= 0.4) : []
  const shown = fitting.length > 0 ? fitting : rows
  const direct = directAnswer(asked.text, asked.wants, asked.topic, shown[0].text)
  const lead = direct && asked.topic.terms.length > 0 && asked.wants !== 'value' ? direct : ''
  return {
    sentences: [...shown.map((row, i) => saying(i === 0 ? lead : '', [row])), ...named(best.moment)],
    confidence: 0.75,
  }
}

// What only just reaches into the moment belongs to the one before or after, where something else fills it.
function mostlyDuring(rows: Evidence[], moment: AnchorMoment): Evidence[] {
  const mostly = rows.filter(row => {
    const shorter = Math.min(moment.end - moment.start, row.span.end - row.span.start)
    return overlap(row.span, moment) >= shorter * 0.5
  })
  return mostly.length > 0 ? mostly : rows
}

function candidates(asked: Asked, rows: readonly Evidence[], moment: AnchorMoment): Evidence[] {
  const later = asked.anchor!.relation === 'after'
  return rows
    .filter(
      row =>
        targets(asked, row.track) &&
        byAsked(asked, row) &&
        isNotable(row, asked.text) &&
        row.id !== moment.row?.id &&
        !['shot', 'summary', 'claim'].includes(row.track),
    )
    .filter(row => (later ? startsAfter(row, moment) : endsBefore(row, moment)))
    .sort((a, b) => (later ? byTime(a, b) : b.span.end - a.span.end || byTime(b, a)))
}

// Of the texts only those of the form that is asked for: "the last sign" is not a slide.
function formed(asked: Asked, rows: Evidence[], all: readonly Evidence[]): Evidence[] {
  const texts = slidesOfForm(
    formAsked(asked.main),
    all.filter(row => row.track === 'text'),
  ).flat()
  const fitting = rows.filter(row => row.track !== 'text' || texts.includes(row))
  return fitting.length > 0 ? fitting : rows
}

// A text that is shown together with the anchor is not a next one; speech may start while the sound still rings.
function startsAfter(row: Evidence, moment: AnchorMoment): boolean {
  if (row.track === moment.row?.track) return row.span.start > moment.start && row.span.start >= moment.end - 1.5
  return row.span.start >= moment.end - slack || (row.span.start > moment.start + slack && row.track === 'text')
}

function endsBefore(row: Evidence, moment: AnchorMoment): boolean {
  if (row.track === moment.row?.track) return row.span.start < moment.start && row.span.end <= moment.start + 1.5
  return row.span.end <= moment.start + slack
}

// The nearest, with what shares its moment on screen; of those near, one that fits the question's own words comes first.
function chosenOf(asked: Asked, rows: readonly Evidence[], moment: AnchorMoment): Evidence[] {
  const groups = asked.unit === 'slide' ? slidesIn(rows.filter(row => row.track === 'text')) : rows.map(row => [row])
  const ordered = asked.anchor?.relation === 'before' && asked.unit === 'slide' ? groups.reverse() : groups
  const first = typeof asked.nth === 'number' && asked.nth > 1 ? ordered[asked.nth - 1]?.[0] : rows[0]
  if (!first) return []
  if (asked.topic.terms.length > 0) {
    const near = rows.filter(row => Math.abs(row.span.start - moment.start) <= 60)
    const fitting = near.map(row => matchOf([row], asked)).filter(match => match.score >= 0.5)
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

function targets(asked: Asked, track: Evidence['track']): boolean {
  return targetTracks(asked).includes(track)
}

function byAsked(asked: Asked, row: Evidence): boolean {
  return !asked.speaker || row.track !== 'speech' || row.speaker === asked.speaker
}
