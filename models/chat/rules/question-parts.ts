import type { Evidence, Track } from '../../../src/core/evidence.ts'
import { touches } from '../../../src/core/time.ts'
import type { Overview } from '../../../src/core/video.ts'
import { splitItems } from '../../../src/text/question/items.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import type { Topic } from '../../../src/text/question/topic.ts'

// Parts of a question that both the planner and the writer need.

// The options that a question lists itself: "which of these towns is named: Rome, Oslo or Bern?"
export function choicesIn(question: string): string[] {
  const text = question.replace(/\s+/g, ' ')
  if (text.length > longestList) return []
  const list = lists.map(pattern => pattern.exec(text)?.[1]).find(found => found !== undefined)
  const items = list ? splitItems(list) : []
  return items.length > 1 ? items : []
}

const longestList = 2000 // characters of a question; what is longer is not a list of options

// Each sign fits one place of a pattern: a long list is read in its length and not in all the ways to part it.
const lists = [
  /\bwhich (?:one )?of (?:these|those|the following)\b[^:?]*:\s*([^?]+)\??\s*$/i,
  /^(?:and |but )?(?:which|what|who|where|was it|is it|did|does)\b[^?]*[:,]\s*((?:[^,?:]+,)*[^,?:]+,?\s+or\s+[^,?]+)\??\s*$/i,
]

// Whether a question is about colours and nothing else: "when is the screen blue?"
export function isColours(topic: Topic): boolean {
  const telling = topic.terms.filter(
    term => !/^(background|bright|dark|light|mostly|all|turn|whole|entire|colou?r)/.test(term.text),
  )
  return telling.length > 0 && telling.every(term => colours.has(term.text))
}

const colours = new Set(
  'red green blue yellow orange purple violet pink brown black white grey gold silver turquoise beige cyan magenta'.split(
    ' ',
  ),
)

// Whether something lies in the span that the question names, if it names one.
export function isInSpan({ span }: Pick<ParsedQuestion, 'span'>, row: Pick<Evidence, 'span'>): boolean {
  return !span || touches(row.span, span)
}

// Whether it is on a track that the question names, if it names any.
export function isOnTracks({ tracks }: Pick<ParsedQuestion, 'tracks'>, { track }: Pick<Evidence, 'track'>): boolean {
  return tracks.length === 0 || tracks.includes(track)
}

// The tracks to search for what comes before, after or meanwhile.
export function targetTracks(asked: ParsedQuestion): Track[] {
  if (asked.tracks.length > 0) return asked.tracks
  return asked.unit === 'slide' ? ['text'] : asked.unit === 'sound' ? ['sound'] : ['speech', 'text', 'sound', 'picture']
}

// The names of the speakers that the index knows.
export function listSpeakers(brief: { overview?: Overview; evidence: readonly Evidence[] }): string[] {
  const heard = brief.evidence.flatMap(row => (row.track === 'speech' && row.speaker ? [row.speaker] : []))
  return [...new Set([...(brief.overview?.speakers ?? []), ...heard])]
}

// Removes the speech of others if the question is about one speaker.
export function spokenBy(speaker: string | undefined, rows: readonly Evidence[]): Evidence[] {
  return speaker ? rows.filter(row => row.track !== 'speech' || row.speaker === speaker) : [...rows]
}
