import type { PlanBrief } from '../../../src/core/brief.ts'
import type { ToolCall } from '../../../src/core/chat.ts'
import type { Track } from '../../../src/core/evidence.ts'
import type { Span } from '../../../src/core/time.ts'
import { tokens } from '../../../src/core/words.ts'
import { anchorMoments } from './anchor-moments.ts'
import { choicesIn } from './choices.ts'
import { isColours } from './colours.ts'
import { rankRows } from './match.ts'
import { optionTopics } from './options/topics.ts'
import { type Asked, understand } from './question.ts'
import { soundNames } from './sounds.ts'
import { speakersOf, spokenBy } from './speakers.ts'
import { synonymsOf } from './synonyms.ts'

type Call = Omit<ToolCall, 'id'>

// What to call next for a question; no calls where the ledger holds what there is to know.
export function planCalls(brief: PlanBrief): ToolCall[] {
  const asked = understand(brief.question, brief.duration, brief.turns, speakersOf(brief))
  const made = new Set(brief.steps.map(step => keyOf(step.tool, step.input)))
  const calls = roundOf(brief, asked)
    .filter(call => brief.tools.includes(call.name))
    .filter(call => !made.has(keyOf(call.name, call.arguments)))
  return calls.slice(0, 8).map((call, i) => ({ id: `rule_${brief.round}_${i}`, ...call }))
}

function roundOf(brief: PlanBrief, asked: Asked): Call[] {
  if (brief.round === 0) return [...opening(brief, asked), ...optionCalls(brief, asked)]
  const rest = restOfLists(brief, asked)
  if (rest.length > 0) return rest
  if (brief.round === 1) return closer(brief, asked)
  if (brief.round === 2 && asked.kind === 'neighbour') return further(brief, asked)
  if (brief.round === 2 && brief.evidence.length === 0)
    return [timeline({ tracks: ['speech', 'text', 'sound', 'picture'], limit: 60 })]
  return []
}

// The first round: widely, by words and by lists.
function opening(brief: PlanBrief, asked: Asked): Call[] {
  const { topic, tracks } = asked
  const words = asked.earlier.terms.length > 0 ? `${topic.words} ${asked.earlier.words}`.trim() : topic.words
  const named = tracks.length > 0 ? { tracks } : {}
  switch (asked.kind) {
    case 'summary':
      return asked.tracks.includes('text')
        ? [timeline({ tracks: ['text'], ...asked.span }), { name: 'overview', arguments: {} }]
        : asked.span
          ? [timeline({ tracks: ['speech', 'text', 'sound', 'picture'], ...asked.span })]
          : brief.overview?.chapters.length === 0
            ? [timeline({ tracks: ['speech', 'text', 'sound', 'picture'] })]
            : [{ name: 'overview', arguments: {} }]
    case 'at-time':
      return [
        timeline({ tracks: tracks.length > 0 ? tracks : ['speech', 'text', 'sound', 'picture'], ...widened(asked, 8) }),
      ]
    case 'contents':
      return [timeline({ tracks: tracks.length > 0 ? tracks : ['speech', 'text'], ...(asked.span ?? {}) })]
    case 'count-units':
      return unitCalls(asked)
    case 'order':
      return asked.items.length > 1
        ? asked.items.flatMap(item => [timeline({ about: item }), search(withOtherNames(item), {}, 4)]).slice(0, 8)
        : [timeline({ tracks: tracks.length > 0 ? tracks : ['text', 'speech'] })]
    case 'neighbour':
    case 'during':
      return [...anchorCalls(asked), ...(topic.words ? [search(topic.words, {}, 6)] : [])]
    default: {
      const where = asked.span ? { start: asked.span.start, end: asked.span.end } : {}
      if (!words) return [timeline({ tracks: tracks.length > 0 ? tracks : ['speech', 'text'], ...where })]
      const broad = search(words, where, 10)
      const others = withOtherNames(words)
      const narrow =
        tracks.length > 0
          ? [search(others, { ...named, ...where }, 8)]
          : others !== words
            ? [search(others, where, 8)]
            : []
      const pictures = isColours(topic) ? [search(words, { tracks: ['picture'], ...where }, 3)] : []
      const quotes = topic.quoted.slice(0, 3).map(quote => timeline({ about: quote, ...where }))
      return [
        broad,
        ...narrow,
        timeline({ about: words, ...where }),
        ...quotes,
        ...pictures,
        ...soundList(tracks, words),
      ]
    }
  }
}

// What a list left out because it was too long: whoever counts needs all of it.
function restOfLists(brief: PlanBrief, asked: Asked): Call[] {
  if (!['count', 'count-units', 'order', 'contents'].includes(asked.kind)) return []
  const rows = new Map(brief.evidence.map(row => [row.id, row]))
  return brief.steps
    .filter(
      step =>
        step.round === brief.round - 1 &&
        step.tool === 'timeline' &&
        /^\d+ rows\. The first \d+ of/.test(step.text ?? ''),
    )
    .flatMap(step => {
      const last = rows.get(step.evidence.at(-1) ?? '')
      return last ? [timeline({ ...(step.input as TimelineInput), start: last.span.start })] : []
    })
}

// The second round: what lies around the best moments, or another way where the first brought nothing.
function closer(brief: PlanBrief, asked: Asked): Call[] {
  if (asked.kind === 'neighbour' || asked.kind === 'during') {
    const moments = anchorMoments(asked, brief.evidence)
    if (moments.length === 0 && asked.anchor) return [timeline({ tracks: ['speech', 'text', 'sound'], limit: 400 })]
    return moments
      .slice(0, 3)
      .map(span => timeline({ tracks: [...targetTracks(asked)], ...around(span, asked, brief.duration) }))
  }
  if (asked.kind === 'picture') return lookCalls(brief, asked)
  const best = rankRows({ ...asked, span: asked.span }, brief.evidence)[0]
  if (['fact', 'about', 'presence'].includes(asked.kind) && best && best.score >= 0.3) {
    const span = best.rows[0].span
    const near = timeline({
      tracks: ['speech', 'text'],
      start: Math.max(0, span.start - 12),
      end: Math.min(brief.duration, span.end + 12),
    })
    return brief.question.options ? [near, ...optionContext(brief)] : [near]
  }
  if (!best || best.score < 0.3)
    return asked.topic.terms.slice(0, 4).map(term => timeline({ about: term.text, limit: 40 }))
  return []
}

const near = 60 // seconds
const far = 600

// Nothing came close before or after the moment: what comes at all.
function further(brief: PlanBrief, asked: Asked): Call[] {
  const tracks = targetTracks(asked)
  const later = asked.anchor?.relation === 'after'
  const rows = spokenBy(asked.speaker, brief.evidence).filter(row => tracks.includes(row.track))
  return anchorMoments(asked, brief.evidence)
    .slice(0, 1)
    .filter(moment => {
      const gaps = rows
        .filter(row => row.id !== moment.row?.id)
        .map(row => (later ? row.span.start - moment.end : moment.start - row.span.end))
      return !gaps.some(gap => gap >= -0.5 && gap <= near)
    })
    .map(moment =>
      timeline({
        tracks,
        ...(later ? { start: moment.end } : { start: Math.max(0, moment.start - 1200), end: moment.start }),
      }),
    )
}

function anchorCalls(asked: Asked): Call[] {
  const { anchor } = asked
  if (!anchor) return []
  if (anchor.span) {
    const { start, end } = anchor.span
    return [timeline({ tracks: targetTracks(asked), start: Math.max(0, start - 45), end: end + 45 })]
  }
  const tracks = anchor.tracks.length > 0 ? { tracks: anchor.tracks } : {}
  const words = anchor.topic.words
  if (!words) return [timeline({ ...tracks })]
  return [
    timeline({ about: words }),
    search(withOtherNames(words), {}, 8),
    ...soundList(anchor.tracks, words),
    ...anchor.topic.quoted.slice(0, 1).map(about => timeline({ about })),
  ]
}

function unitCalls(asked: Asked): Call[] {
  const where = asked.span ?? {}
  const track: Record<string, Track[]> = {
    slide: ['text'],
    shot: ['shot'],
    sound: ['sound'],
    line: ['speech'],
    speaker: ['speech'],
  }
  return [timeline({ tracks: track[asked.unit ?? 'slide'], ...where })]
}

function lookCalls(brief: PlanBrief, asked: Asked): Call[] {
  const spans = rankRows(asked, brief.evidence)
    .slice(0, 2)
    .map(match => match.rows[0].span)
  const places = asked.span
    ? [asked.span]
    : spans.length > 0
      ? spans
      : [{ start: 0, end: Math.min(60, brief.duration) }]
  return places.map(span => {
    const start = Math.max(0, span.start - 1)
    const end = Math.min(brief.duration, Math.max(span.end, span.start + 4), start + 60)
    return { name: 'look', arguments: { start, end, question: asked.text } }
  })
}

function optionCalls(brief: PlanBrief, asked: Asked): Call[] {
  const options = brief.question.options ?? choicesIn(brief.question.text)
  if (options.length === 0 || asked.kind === 'count-units') return []
  return optionTopics(options)
    .flatMap(topic => (topic.words ? [search(topic.words, {}, 4)] : []))
    .slice(0, 5)
}

function optionContext(brief: PlanBrief): Call[] {
  return optionTopics(brief.question.options ?? [])
    .flatMap(topic => (topic.words && topic.terms.length <= 4 ? [timeline({ about: topic.words, limit: 30 })] : []))
    .slice(0, 5)
}

// Sounds have names of their own: whoever asks for a beep also means a tone.
function soundList(tracks: readonly Track[], words: string): Call[] {
  return tracks.includes('sound') || soundNames(words).length > 0 ? [timeline({ tracks: ['sound'] })] : []
}

function withOtherNames(words: string): string {
  const others = tokens(words).flatMap(token => synonymsOf(token.stem).slice(0, 5))
  return [words, ...new Set([...soundNames(words).slice(0, 4), ...others])].join(' ').slice(0, 300)
}

export function targetTracks(asked: Asked): Track[] {
  if (asked.tracks.length > 0) return asked.tracks
  return asked.unit === 'slide' ? ['text'] : asked.unit === 'sound' ? ['sound'] : ['speech', 'text', 'sound', 'picture']
}

function around(span: Span, asked: Asked, duration: number): Span {
  const sparse = !targetTracks(asked).includes('speech') // texts and sounds are few
  const reach = asked.kind === 'during' ? 6 : sparse ? far : near
  const after = asked.anchor?.relation !== 'before' ? reach : 3
  const before = asked.anchor?.relation !== 'after' ? reach : 3
  return { start: Math.max(0, span.start - before), end: Math.min(duration, span.end + after) }
}

function widened(asked: Asked, by: number): { start?: number; end?: number } {
  if (!asked.span) return {}
  return asked.moment === undefined ? asked.span : { start: Math.max(0, asked.moment - by), end: asked.moment + by }
}

const longestList = 2000

interface TimelineInput {
  tracks?: Track[]
  start?: number
  end?: number
  about?: string
  limit?: number
}

function timeline(args: TimelineInput): Call {
  return { name: 'timeline', arguments: { limit: longestList, ...args } }
}

function search(query: string, more: { tracks?: Track[]; start?: number; end?: number }, k: number): Call {
  return { name: 'search', arguments: { query, ...more, k } }
}

// A call as it was made, whatever defaults were filled in since.
function keyOf(tool: string, input: unknown): string {
  const { tracks, start, end, about, query } = (input ?? {}) as Record<string, unknown>
  return JSON.stringify([tool, tracks, start, end, about, query, tool === 'look' ? input : undefined])
}
