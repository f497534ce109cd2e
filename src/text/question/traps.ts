import type { Question } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import { formatSpan, parseTime } from '../../core/time.ts'
import { optionWords } from '../option.ts'
import { contentWords, rowsAbout } from '../terms.ts'
import { statedTimes } from '../times-in-prose.ts'
import { coverage } from '../word-similarity.ts'
import { isNegated } from './negation.ts'

// A trap is a question that a willing answerer gets wrong by taking it at its word.
// leading: it says its own answer. premise: it takes a happening for granted. negated: the right option is what is not there.
// impossible: an option that cannot be true of this video, whatever is in it.
type Trap =
  | { kind: 'leading' | 'premise'; claim: string }
  | { kind: 'negated' }
  | { kind: 'impossible'; option: number; why: string }

export function trapsIn(question: Question, duration: number): Trap[] {
  const options = question.options ?? []
  const traps: Trap[] = impossibleOptions(options, duration)
  if (options.length > 0 && isNegated(question.text)) traps.push({ kind: 'negated' })
  const leading = leadingClaim(question.text)
  const claim = leading ?? premiseOf(question.text)
  // A moment that an earlier answer gave is not a premise.
  const given = question.refers?.references.some(({ span }) => span && claim?.includes(formatSpan(span)))
  if (claim && !given) traps.push({ kind: leading ? 'leading' : 'premise', claim })
  return traps
}

function impossibleOptions(options: readonly string[], duration: number): Trap[] {
  return options.flatMap((option, i): Trap[] => {
    const plain = optionWords(option)
    if (plain === '') return [{ kind: 'impossible', option: i, why: 'it says nothing' }]
    if (options.slice(0, i).some(other => optionWords(other) === plain))
      return [{ kind: 'impossible', option: i, why: 'it repeats another one' }]
    const late = timesOf(option).some(second => second > duration + 1)
    return late ? [{ kind: 'impossible', option: i, why: 'that time lies after the end of the video' }] : []
  })
}

// A time of day ("at 10:30 pm") is not a moment of the video.
function timesOf(option: string): number[] {
  if (/\b[ap]\.?m\b|o['’]clock/i.test(option)) return []
  const whole = parseTime(option.replace(/^\s*\(?[A-J][).:]\s*/i, '').replace(/^(at|around|about)\s+/i, ''))
  const clock = whole !== undefined && /:/.test(option) ? [whole] : []
  const marked = statedTimes(option).filter(stated => /second|sec\b|minute|min\b|mark|\binto\b/i.test(stated.text))
  return [...clock, ...marked.flatMap(stated => stated.seconds)]
}

const tags =
  /,\s*(?:right|correct|true|yes|no|isn['’]t (?:it|he|she|that so)|aren['’]t they|wasn['’]t (?:it|he|she)|weren['’]t they|doesn['’]t (?:it|he|she)|don['’]t they|didn['’]t (?:it|he|she|they)|hasn['’]t (?:it|he|she)|haven['’]t they|don['’]t you (?:think|agree))\s*\?*\s*$/i
const openings = [
  /^\s*(?:is|isn['’]t|is it not|was|wasn['’]t) it (?:not )?(?:true|right|correct|the case|so|a fact) that (.+?)\?*\s*$/i,
  /^\s*(?:do|don['’]t|would|wouldn['’]t) you (?:not )?(?:agree|think|say) that (.+?)\?*\s*$/i,
  /^\s*(?:as we (?:all )?know|obviously|clearly|surely|of course),?\s+(.+?)\?*\s*$/i,
]

function leadingClaim(question: string): string | undefined {
  if (tags.test(question)) return question.replace(tags, '').trim()
  for (const opening of openings) {
    const claim = opening.exec(question)?.[1]
    if (claim && !/^(who|what|when|where|why|how|which)\b/i.test(claim)) return claim.trim()
  }
  return undefined
}

// What a why-question and a clause of time say as if it were known.
function premiseOf(question: string): string | undefined {
  const why = /^\s*(?:why|how come)\s+(?:(?:did|does|do|is|are|was|were|has|have|had)\s+)?(.+?)\?*\s*$/i.exec(
    question,
  )?.[1]
  const clause = /\b(?:after|before|when|while|once|until)\s+(?!which\b|what\b|that\b)([^,?]+)/i.exec(
    question.replace(/^\s*when\b/i, ''),
  )?.[1]
  const claim = (why ?? clause)?.trim()
  return claim && contentWords(claim).length >= 2 ? claim : undefined
}

// The rows that a premise is tried against; a summary holds too much at once to deny one thing.
export function premiseRows(claim: string, rows: readonly Evidence[]): Evidence[] {
  const single = rows.filter(row => row.track !== 'summary')
  return rowsAbout(contentWords(claim), single, 4, 0.3)
}

// Nothing in all that is known of the video holds even a third of its words.
export function isUnheardOf(claim: string, rows: readonly Evidence[]): boolean {
  const terms = contentWords(claim)
  return !rows.some(row => coverage(terms, row.text) >= 0.34)
}
