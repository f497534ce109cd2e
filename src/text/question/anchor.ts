import type { EarlierTurn } from '../../core/brief.ts'
import type { Reference } from '../../core/conversation.ts'
import type { Track } from '../../core/evidence.ts'
import { formatSpan, mergeSpans, parseTime, type Span } from '../../core/time.ts'
import { nthOf } from './nth.ts'
import { type Topic, topicOf } from './topic.ts'
import { tracksOf } from './tracks.ts'

// The moment that a question starts from: "after X", "while Y is shown", "right before that".
export interface Anchor {
  relation: 'before' | 'after' | 'during'
  topic: Topic
  tracks: Track[]
  text: string
  nth?: number | 'last' // "after the second beep"
  loose: boolean // it may be no moment of the video at all: "what do we call it when it cools?"
  span?: Span // known already: from a stated time or from the turn before
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
  turns: readonly EarlierTurn[],
  references: readonly Reference[] = [],
): { main: string; anchor?: Anchor } {
  const quotedAway = question.replace(/["“][^"”]*["”]/g, quote => '_'.repeat(quote.length))
  const resolved = references.some(reference => reference.span)
  const next = resolved ? undefined : (nextOrPrevious(question, turns) ?? justThen(question, turns))
  if (next) return next
  for (const [pattern, relation] of patterns) {
    const match = pattern.exec(quotedAway)
    if (!match) continue
    const at = match.index
    if (at === 0 && /^when\s+(is|are|was|were|does|do|did|has|have|can|will|would|could|exactly)\b/i.test(question))
      continue
    const clause = question.slice(at + match[0].length)
    const lead = question.slice(0, at).trim()
    if (wh.test(lead) || /^(tell|describe|list|name|find|give|say|summar)/i.test(lead)) {
      const made = anchorOf(relation, clause.replace(/(?<!\?)\?+\s*$/, ''), turns, references)
      if (made)
        return isMedia(lead) || made.span
          ? { main: lead, anchor: made }
          : { main: question, anchor: { ...made, loose: true } }
    } else if (at <= 3 || lead === '' || /^(right|just|and|so|then|immediately|exactly),?$/i.test(lead)) {
      const comma = clauseEnd(quotedAway.slice(at + match[0].length))
      if (comma > 0) {
        const made = anchorOf(relation, clause.slice(0, comma), turns, references)
        const asks = clause.slice(comma).replace(/^[,\s]+/, '')
        if (made)
          return isMedia(asks) || made.span
            ? { main: asks, anchor: made }
            : { main: question, anchor: { ...made, loose: true } }
      }
    }
  }
  return { main: question }
}

// Whether a clause asks for what is said, shown, heard or happens, and not for a fact.
function isMedia(clause: string): boolean {
  return (
    tracksOf(clause).length > 0 ||
    /\b(comes?|came|happen(s|ed|ing)?|follow(s|ed)?|going on|goes on|next|occurs?|starts?|begins?)\b/i.test(clause)
  )
}

// "the next slide", "the previous sentence": the turn before says from where.
function nextOrPrevious(question: string, turns: readonly EarlierTurn[]) {
  const match = /\b(next|previous|following|preceding)\b(?!\s+(week|month|year|day|time|to)\b)/i.exec(question)
  const explicit = /\b(after|before|following|when|while)\b\s+\S/i.test(question.replace(/\b(the )?following\b/gi, ''))
  const span = spanOfTurn(turns)
  if (!match || explicit || !span) return undefined
  const relation = /next|following/i.test(match[1]) ? ('after' as const) : ('before' as const)
  const anchor: Anchor = { relation, topic: topicOf(''), tracks: [], text: 'that', span, loose: false }
  return { main: question.replace(match[0], ''), anchor }
}

// "What was on screen then?"
function justThen(question: string, turns: readonly EarlierTurn[]) {
  const match = /\s(?:then|meanwhile|at (?:that|the same) (?:moment|time|point))\s*\??$/i.exec(question)
  const span = spanOfTurn(turns)
  if (!match || !span) return undefined
  const anchor: Anchor = { relation: 'during', topic: topicOf(''), tracks: [], text: 'then', span, loose: false }
  return { main: question.slice(0, match.index), anchor }
}

function clauseEnd(clause: string): number {
  const comma = clause.indexOf(',')
  if (comma > 0 && wh.test(clause.slice(comma))) return comma
  const verb = /\s(what|which|who|whose|where|how)\b/i.exec(clause)
  return verb ? verb.index : -1
}

function anchorOf(
  relation: Anchor['relation'],
  clause: string,
  turns: readonly EarlierTurn[],
  references: readonly Reference[],
): Anchor | undefined {
  const text = clause.trim()
  const pointed = references.find(reference => reference.span && text.startsWith(formatSpan(reference.span)))
  if (pointed?.span) return { relation, topic: topicOf(''), tracks: [], text, span: pointed.span, loose: false }
  const topic = topicOf(text)
  const tracks = tracksOf(text)
  const time = /^(?:the )?\[?(\d{1,3}:\d{2}(?::\d{2})?)\]?/.exec(text)
  const second = time ? parseTime(time[1]) : undefined
  if (second !== undefined)
    return { relation, topic: topicOf(''), tracks: [], text, span: { start: second, end: second }, loose: false }
  const pointing = text === '' || /^(that|this|it|then|those|them|the (last|previous) (answer|one))\b/i.test(text)
  const span = pointing && topic.terms.length === 0 ? spanOfTurn(turns) : undefined
  if (span) return { relation, topic, tracks: [], text: text || 'that', span, loose: false }
  return topic.terms.length > 0 || tracks.length > 0
    ? { relation, topic, tracks, text, nth: nthOf(text), loose: false }
    : undefined
}

function spanOfTurn(turns: readonly EarlierTurn[]): Span | undefined {
  const rows = turns.at(-1)?.evidence ?? []
  return mergeSpans(rows.slice(0, 1).map(row => row.span))[0]
}
