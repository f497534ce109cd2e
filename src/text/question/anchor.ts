import type { Reference } from '../../core/agent.ts'
import type { Track } from '../../core/evidence.ts'
import { clockTime, formatSpan, parseTime, type Span } from '../../core/time.ts'
import { parseNth } from './nth.ts'
import { noTopic, parseTopic, type Topic } from './topic.ts'
import { findTracks } from './tracks.ts'

// The moment that a question starts from: "after X", "while Y is shown", "right before that".
export interface Anchor {
  relation: 'before' | 'after' | 'during'
  topic: Topic
  tracks: Track[]
  text: string
  nth?: number | 'last' // "after the second beep"
  loose: boolean // it may be no moment of the video at all: "what do we call it when it cools?"
  span?: Span // known already: from a stated time or from an earlier turn
}

const before = `(?:right |just |immediately |directly |shortly )?before|prior to|preceding|leading up to|(?:comes?|came|is|was) (?:right |just |immediately )?before|precedes?|preceded`
const after = `(?:right |just |immediately |directly |shortly |soon )?after(?:wards)?|(?<!the )following|once|as soon as|(?:comes?|came) (?:right |just |immediately )?after|follows|followed`
const during = `while|whilst|during|at the (?:same )?(?:moment|time|point) (?:that |when |as )?|(?:at the same time )?as (?=the |a |an |she |he |they |someone )|when|whenever|where(?= the (?:slide|sign|screen|caption))`

const patterns: [RegExp, Anchor['relation']][] = [
  [new RegExp(String.raw`\b(?:${before})\b`, 'i'), 'before'],
  [new RegExp(String.raw`\b(?:${after})\b`, 'i'), 'after'],
  [new RegExp(String.raw`\b(?:${during})`, 'i'), 'during'],
]

const wh = /\b(what|which|who|whom|whose|where|how|is|are|was|were|does|do|did)\b/i

// Parts the question from its anchor: "What is said [after the beep]?", "[When the slide is shown], what is said?"
// A moment that was resolved before stands in it as "[0:40-0:45]", with its exact span in the references.
export function splitAnchor(
  question: string,
  references: readonly Reference[] = [],
): { main: string; anchor?: Anchor } {
  const quotedAway = question.replace(/["“][^"”]*["”]/g, quote => '_'.repeat(quote.length))
  for (const [pattern, relation] of patterns) {
    const match = pattern.exec(quotedAway)
    if (!match) continue
    const at = match.index
    if (at === 0 && /^when\s+(is|are|was|were|does|do|did|has|have|can|will|would|could|exactly)\b/i.test(question))
      continue
    const end = at + match[0].length
    const parts = partClauses(question.slice(0, at).trim(), question.slice(end), clauseEnd(quotedAway.slice(end)))
    const anchor = parts && parseAnchor(relation, parts.moment, references)
    if (!anchor) continue
    return isMedia(parts.asks) || anchor.span
      ? { main: parts.asks, anchor }
      : { main: question, anchor: { ...anchor, loose: true } }
  }
  return { main: question }
}

// What is asked, and the moment that it is asked about: what stands before "while", or after the clause that it opens.
function partClauses(lead: string, clause: string, comma: number): { asks: string; moment: string } | undefined {
  if (wh.test(lead) || /^(tell|describe|list|name|find|give|say|summar)/i.test(lead))
    return { asks: lead, moment: clause.replace(/(?<!\?)\?+\s*$/, '') }
  const isOpening = lead.length <= 2 || /^(right|just|and|so|then|immediately|exactly),?$/i.test(lead)
  if (!isOpening || comma <= 0) return undefined
  return { asks: clause.slice(comma).replace(/^[,\s]+/, ''), moment: clause.slice(0, comma) }
}

// Whether a clause asks for what is said, shown, heard or happens, and not for a fact.
function isMedia(clause: string): boolean {
  return (
    findTracks(clause).length > 0 ||
    /\b(comes?|came|happen(s|ed|ing)?|follow(s|ed)?|going on|goes on|next|occurs?|starts?|begins?)\b/i.test(clause)
  )
}

function clauseEnd(clause: string): number {
  const comma = clause.indexOf(',')
  if (comma > 0 && wh.test(clause.slice(comma))) return comma
  const verb = /\s(what|which|who|whose|where|how)\b/i.exec(clause)
  return verb ? verb.index : -1
}

function parseAnchor(
  relation: Anchor['relation'],
  clause: string,
  references: readonly Reference[],
): Anchor | undefined {
  const text = clause.trim()
  const pointed = references.find(({ span }) => span && text.startsWith(formatSpan(span)))
  const second = parseTime(new RegExp(String.raw`^(?:the )?\[?(${clockTime})\]?`).exec(text)?.[1])
  const span = pointed?.span ?? (second === undefined ? undefined : { start: second, end: second })
  if (span) return { relation, topic: noTopic, tracks: [], text, span, loose: false }
  const topic = parseTopic(text)
  const tracks = findTracks(text)
  return topic.terms.length > 0 || tracks.length > 0
    ? { relation, topic, tracks, text, nth: parseNth(text), loose: false }
    : undefined
}
