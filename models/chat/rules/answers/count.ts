import { groupBy } from '../../../../src/core/basics/group-by.ts'
import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { Evidence, Track } from '../../../../src/core/evidence.ts'
import { distinctRows, findOccurrences, type Occurrence } from '../../../../src/text/occurrences.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { isNotable, strokesIn } from '../../../../src/text/sounds.ts'
import { rankRows, spanOfRows, topicShare } from '../match.ts'
import { isInSpan } from '../question-parts.ts'
import { quoteEvidence, shortLine } from '../sentence.ts'
import { formAsked, slidesOfForm, slideTitle } from '../slides.ts'
import { answerAbsent } from './absent.ts'
import { answerFact } from './fact.ts'

// Counts how many times something is said, shown or heard.
export function answerCount(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const times = findTimes(asked, brief)
  if (times.length === 0) return { ...answerAbsent(asked, brief, `"${unitName(asked)}"`), abstained: true }
  return writeCount(times.length, `${chooseVerb(times)} "${unitName(asked)}"`, times, 0.75)
}

export function findTimes(asked: ParsedQuestion, brief: WriteBrief): Occurrence[] {
  const rows = brief.evidence.filter(row => isInSpan(asked, row))
  const tracks = asked.tracks.length > 0 ? asked.tracks : (['speech', 'text', 'sound', 'picture'] as Track[])
  const onTracks = rows.filter(row => tracks.includes(row.track))
  const sounds = soundsNamed(asked, onTracks, 0.6)
  if (tracks.includes('sound') && sounds.length > 0) return sounds
  const exact = findOccurrences(unitName(asked), onTracks)
  if (exact.length > 0) return byTrack(exact)
  const loose = rankRows({ topic: asked.topic, tracks }, onTracks).filter(
    match => match.rows.length === 1 && match.score >= 0.6,
  )
  return distinctRows(loose.map(match => match.rows[0]))
}

// Rows named "beep" take precedence over rows that may be one: a siren is a tone too.
function soundsNamed(asked: ParsedQuestion, rows: readonly Evidence[], min: number): Occurrence[] {
  const scored = rows
    .filter(row => row.track === 'sound' && isNotable(row, asked.text))
    .map(row => ({ row, score: asked.topic.terms.length > 0 ? topicShare(asked.topic, row.text, 'sound') : 1 }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  const fitting = scored.filter(({ score }) => score >= Math.max(min, best - 0.15))
  return distinctRows(fitting.map(({ row }) => row))
}

// Counts slides, shots, sounds, lines or speakers.
export function answerUnitCount(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const rows = brief.evidence.filter(row => isInSpan(asked, row))
  const { unit } = asked
  if (unit === 'speaker') return speakers(asked, brief, rows)
  const factDraft = asked.topic.terms.length > 1 ? answerFact(asked, brief) : undefined
  const groups = findUnits(asked, rows)
  if (groups.length === 0)
    return factDraft && !factDraft.abstained ? factDraft : answerAbsent(asked, brief, `any ${unit}`)
  const names = { slide: 'different texts on screen', shot: 'shots', sound: 'sounds', line: 'lines of speech' }
  const what = asked.topic.terms.length > 0 ? `"${asked.topic.words}"` : names[unit ?? 'slide']
  return writeCount(groups.length, what, groups, unit === 'shot' ? 0.8 : 0.65)
}

export function findUnits(asked: ParsedQuestion, rows: readonly Evidence[]): Occurrence[] {
  const { unit, topic } = asked
  if (unit === 'shot') return distinctRows(rows.filter(row => row.track === 'shot'))
  if (unit === 'line') return distinctRows(rows.filter(row => row.track === 'speech'))
  if (unit === 'sound')
    return soundsNamed(asked, rows, 0.5).flatMap(one => Array<Occurrence>(strokesIn(one.text)).fill(one))
  const texts = rows.filter(row => row.track === 'text')
  return slidesOfForm(formAsked(asked.main), texts)
    .filter(slide => topic.terms.length === 0 || topicShare(topic, slide.map(row => row.text).join('\n')) >= 0.5)
    .map(slide => ({ rows: slide, span: spanOfRows(slide), text: slideTitle(slide) }))
}

// Lists who speaks, citing each speaker's first line.
export function speakers(asked: ParsedQuestion, brief: WriteBrief, rows: readonly Evidence[]): Draft {
  const names = [...new Set(rows.flatMap(row => (row.track === 'speech' && row.speaker ? [row.speaker] : [])))]
  if (names.length === 0) return answerAbsent(asked, brief, 'who speaks')
  const firsts = names.map(name => rows.find(row => row.speaker === name)).filter(row => row !== undefined)
  return {
    sentences: [
      {
        text: asked.speaker && names.length === 1 ? asked.speaker : `${names.length}: ${names.join(', ')}`,
        cites: firsts.map(row => row.id),
      },
    ],
    confidence: 0.6,
  }
}

function writeCount(number: number, what: string, times: readonly Occurrence[], confidence: number): Draft {
  const cites = [...new Set(times.flatMap(one => one.rows.slice(0, 4).map(row => row.id)))]
  const list = times
    .slice(0, 8)
    .map(one => `"${shortLine(one.text, 60)}"`)
    .join(', ')
  const isUnits = !what.includes('"') || !/^(said|shown|heard|found)/.test(what)
  const line = `${number} — ${what}${isUnits ? `: ${list}` : number === 1 ? ', once' : `, ${number} times`}`
  const example = times
    .slice(0, isUnits ? 0 : 1)
    .map(({ rows: [row] }) => ({ text: `The first time: ${quoteEvidence(row)}`, cites: [row.id] }))
  return { sentences: [{ text: line, cites }, ...example], confidence: number > 12 ? confidence - 0.2 : confidence }
}

// A word that is said and shown at once would count twice, so only the richer track counts.
function byTrack(found: readonly Occurrence[]): Occurrence[] {
  const tracks = groupBy(found, ({ rows: [row] }) => row.track)
  return [...tracks.values()].reduce((a, b) => (b.length > a.length ? b : a))
}

function unitName(asked: ParsedQuestion): string {
  return asked.topic.quoted[0] ?? asked.topic.words
}

function chooseVerb(times: readonly Occurrence[]): string {
  const verbs: Partial<Record<Track, string>> = { speech: 'said', text: 'shown', sound: 'heard' }
  const track = times[0]?.rows[0].track
  return (track && verbs[track]) ?? 'found'
}
