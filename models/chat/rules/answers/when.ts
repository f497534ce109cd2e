import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import { formatTime } from '../../../../src/core/time.ts'
import { findOccurrences } from '../../../../src/text/occurrences.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { dateIn } from '../extract/date.ts'
import { directAnswer } from '../extract.ts'
import { rankRows } from '../match.ts'
import { isColours } from '../question-parts.ts'
import { capitalize, quoteEvidence } from '../sentence.ts'
import { answerAbsent } from './absent.ts'
import { minHeld } from './stated.ts'

const maxTimes = 6

// When something is said, shown or heard: each occurrence, in order. The times come from the cited rows.
export function answerWhen(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const rows = findMoments(asked, brief)
  if (rows.length === 0) return byColours(asked, brief) ?? answerAbsent(asked, brief)
  const chosen =
    asked.nth === 'last'
      ? rows.slice(-1)
      : asked.nth === undefined
        ? rows.slice(0, maxTimes)
        : rows.slice(asked.nth - 1, asked.nth)
  if (chosen.length === 0)
    return {
      sentences: [{ text: `It occurs only ${rows.length} times.`, cites: rows.map(row => row.id) }],
      confidence: 0.6,
    }
  const [only, second] = rows
  const direct =
    only && !second && asked.tracks.length === 0 ? directAnswer(asked.text, 'date', asked.topic, only.text) : undefined
  const sentences = chosen.map((row, i) => {
    const exact = exactTime(asked, row)
    const lead = i === 0 && direct ? `${direct} — ` : i === 0 ? '' : 'Again '
    return {
      text: capitalize(`${lead}${exact ? `at ${formatTime(exact)} ` : ''}${quoteEvidence(row)}`),
      cites: [row.id],
    }
  })
  return { sentences, confidence: rows.length === 1 ? 0.85 : 0.75 }
}

// Rows that hold the topic, in the order of the video: the best ones of the question's tracks.
export function findMoments(asked: ParsedQuestion, brief: WriteBrief): Evidence[] {
  // "When is the exam?" asks for what is said of it; "when is the exam mentioned?" for the moment.
  const ofContent = asked.tracks.length === 0
  const ranked = rankRows({ ...asked, wants: ofContent ? 'date' : undefined }, brief.evidence).filter(
    match => match.rows.length === 1 && match.score >= minHeld,
  )
  const best = ranked[0]
  if (!best) return []
  const dated = ranked.find(match => dateIn(asked.topic, match.text) !== undefined)
  if (ofContent && dated && dated.score >= best.score - 0.2) return [dated.rows[0]]
  const close = ranked.filter(match => match.score >= Math.max(minHeld, best.score - 0.2))
  const onTrack = close.filter(match => asked.tracks.includes(match.rows[0].track))
  const sameTrack = close.filter(match => match.rows[0].track === best.rows[0].track)
  return (onTrack.length > 0 ? onTrack : sameTrack).map(match => match.rows[0]).sort(byTime)
}

// Within a long line of speech the words have their own times, if the recogniser gave them.
function exactTime(asked: ParsedQuestion, row: Evidence): number | undefined {
  if (row.span.end - row.span.start < 8 || !row.words) return undefined
  const words = asked.topic.quoted[0] ?? asked.topic.terms.reduce((a, b) => (b.weight > a.weight ? b : a)).text
  const occurrence = findOccurrences(words, [row])[0]
  return occurrence && occurrence.span.start !== row.span.start ? occurrence.span.start : undefined
}

// A question only about colours: the first picture of the search by colours.
function byColours(asked: ParsedQuestion, brief: WriteBrief): Draft | undefined {
  if (!isColours(asked.topic)) return undefined
  const foundIds = brief.steps.filter(step => step.tool === 'search').flatMap(step => step.evidence)
  const picture = brief.evidence.find(row => row.track === 'picture' && foundIds.includes(row.id))
  if (!picture) return undefined
  return {
    sentences: [{ text: `${capitalize(picture.text)} — the best fit of a search by colours`, cites: [picture.id] }],
    confidence: 0.35,
  }
}
