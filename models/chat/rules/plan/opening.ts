import type { PlanBrief } from '../../../../src/core/brief.ts'
import type { Track } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { parseAction } from '../action.ts'
import { choicesIn, isColours, targetTracks } from '../question-parts.ts'
import { optionTopics } from '../topics.ts'
import { type PlannedCall, searchCall, soundList, timelineCall, withOtherNames } from './calls.ts'

const all: Track[] = ['speech', 'text', 'sound', 'picture']

// The first round: broad searches and lists.
export function planOpening(brief: PlanBrief, asked: ParsedQuestion): PlannedCall[] {
  const { topic, tracks } = asked
  const everything: Track[] = brief.vision ? [...all, 'caption'] : all
  const words = asked.earlier.terms.length > 0 ? `${topic.words} ${asked.earlier.words}`.trim() : topic.words
  const named = tracks.length > 0 ? { tracks } : {}
  switch (asked.kind) {
    case 'summary':
      return asked.tracks.includes('text')
        ? [timelineCall({ tracks: ['text'], ...asked.span }), { name: 'overview', arguments: {} }]
        : asked.span
          ? [timelineCall({ tracks: everything, ...asked.span })]
          : brief.overview?.chapters.length === 0
            ? [timelineCall({ tracks: everything })]
            : [{ name: 'overview', arguments: {} }]
    case 'at-time':
      return [timelineCall({ tracks: tracks.length > 0 ? tracks : everything, ...widened(asked, 8, brief.duration) })]
    case 'contents':
      return [timelineCall({ tracks: tracks.length > 0 ? tracks : ['speech', 'text'], ...(asked.span ?? {}) })]
    case 'speaking':
      return [timelineCall({ tracks: ['speech'], ...asked.span })]
    case 'count-units':
      return unitCalls(asked)
    case 'order':
      return asked.items.length > 1
        ? asked.items
            .flatMap(item => [timelineCall({ about: item }), searchCall(withOtherNames(item), {}, 4)])
            .slice(0, 8)
        : [timelineCall({ tracks: tracks.length > 0 ? tracks : ['text', 'speech'] })]
    case 'neighbour':
    case 'during':
      return [...anchorCalls(asked, brief.duration), ...(topic.words ? [searchCall(topic.words, {}, 6)] : [])]
    default: {
      const where = asked.span ? { start: asked.span.start, end: asked.span.end } : {}
      if (!words) return [timelineCall({ tracks: tracks.length > 0 ? tracks : ['speech', 'text'], ...where })]
      const broad = searchCall(words, where, 10)
      const query = withOtherNames(words)
      const narrow =
        tracks.length > 0
          ? [searchCall(query, { ...named, ...where }, 8)]
          : query !== words
            ? [searchCall(query, where, 8)]
            : []
      const pictures = isColours(topic) ? [searchCall(words, { tracks: ['picture'], ...where }, 3)] : []
      const quotes = topic.quoted.slice(0, 3).map(quote => timelineCall({ about: quote, ...where }))
      const bySpeaker = asked.speaker ? [searchCall(words, { speaker: asked.speaker, ...where }, 10)] : []
      return [
        ...deedCalls(asked),
        broad,
        ...bySpeaker,
        ...narrow,
        timelineCall({ about: words, ...where }),
        ...quotes,
        ...pictures,
        ...soundList(tracks, words),
      ]
    }
  }
}

// A reason is said with the deed, and not always with the whole name or the clothes of the person.
function deedCalls(asked: ParsedQuestion): PlannedCall[] {
  if (asked.wants !== 'reason') return []
  const { topic, names, byClothes } = parseAction(asked.text)
  if (!topic.words || (names.length === 0 && !byClothes)) return []
  return [searchCall(topic.words, { tracks: ['speech', 'text'] }, 8), timelineCall({ about: topic.words })]
}

// Finds the moment that the question refers to, and what is around it.
function anchorCalls(asked: ParsedQuestion, duration: number): PlannedCall[] {
  const { anchor } = asked
  if (!anchor) return []
  if (anchor.span) {
    const { start, end } = anchor.span
    return [
      timelineCall({ tracks: targetTracks(asked), start: Math.max(0, start - 45), end: Math.min(duration, end + 45) }),
    ]
  }
  const tracks = anchor.tracks.length > 0 ? { tracks: anchor.tracks } : {}
  const words = anchor.topic.words
  if (!words) return [timelineCall({ ...tracks })]
  return [
    timelineCall({ about: words }),
    searchCall(withOtherNames(words), {}, 8),
    ...soundList(anchor.tracks, words),
    ...anchor.topic.quoted.slice(0, 1).map(about => timelineCall({ about })),
  ]
}

function unitCalls(asked: ParsedQuestion): PlannedCall[] {
  const where = asked.span ?? {}
  const track: Record<string, Track[]> = {
    slide: ['text'],
    shot: ['shot'],
    sound: ['sound'],
    line: ['speech'],
    speaker: ['speech'],
  }
  return [timelineCall({ tracks: track[asked.unit ?? 'slide'], ...where })]
}

// A search for each option, or for each choice that the question lists itself.
export function optionCalls(brief: PlanBrief, asked: ParsedQuestion): PlannedCall[] {
  const options = brief.question.options ?? choicesIn(brief.question.text)
  if (options.length === 0 || asked.kind === 'count-units') return []
  return optionTopics(options)
    .flatMap(topic => (topic.words ? [searchCall(topic.words, {}, 4)] : []))
    .slice(0, 5)
}

function widened(asked: ParsedQuestion, by: number, duration: number): { start?: number; end?: number } {
  if (!asked.span) return {}
  return asked.moment === undefined
    ? asked.span
    : { start: Math.max(0, asked.moment - by), end: Math.min(duration, asked.moment + by) }
}
