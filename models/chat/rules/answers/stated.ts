import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { directAnswer } from '../extract.ts'
import { kindBonus, type Match, rankRows, topicShare } from '../match.ts'
import { polarity } from '../polarity.ts'
import { type CitedSentence, quoteRows, shortLine } from '../sentence.ts'
import { formAsked } from '../slides.ts'

// Below this share of the question's words a line is about something else.
export const minHeld = 0.5

// A fact that a line states: the short answer first if it can be extracted, then the line itself.
export function stated(asked: ParsedQuestion, brief: WriteBrief): Draft | undefined {
  const ranked = rankRows({ ...asked, form: formAsked(asked.main) }, brief.evidence)
  const followed = ranked.filter(match => enough(asked, match) >= minShare(asked) && mayAnswer(asked, match))
  const best = followed[0]
  if (!best) return undefined
  const reply = replyTo(best, brief.evidence)
  if (reply) return replied(asked, reply, best)
  const second = agreeing(best, followed)
  const sentences: CitedSentence[] = [quoteRows(lead(asked, best), best.rows)]
  if (second) sentences.push(quoteRows('', second.rows))
  const rival = followed.find(match => match !== second && !shares(match, best))
  const margin = best.rank - (rival?.rank ?? 0)
  const confidence =
    0.35 + 0.4 * Math.min(1, best.score) + Math.min(0.15, Math.max(0, margin) * 0.5) + (second ? 0.1 : 0)
  return { sentences, confidence: Math.min(0.95, confidence) * clearness(best.rows) }
}

// Low recogniser confidence lowers the confidence of the answer.
function clearness(rows: readonly Evidence[]): number {
  const lowest = Math.min(...rows.map(row => row.confidence ?? 1))
  return 0.5 + 0.5 * Math.min(1, lowest / 0.6)
}

// A line that is itself a question is answered by the next line.
function replyTo(best: Match, rows: readonly Evidence[]): Evidence | undefined {
  const [last = best.rows[0]] = best.rows.slice(-1)
  if (last.track !== 'speech' || !/\?\s*$/.test(last.text)) return undefined
  return rows
    .filter(
      row => row.track === 'speech' && row.span.start >= last.span.end - 0.5 && row.span.start <= last.span.end + 6,
    )
    .filter(row => row.id !== last.id && !/\?\s*$/.test(row.text))
    .sort(byTime)[0]
}

function replied(asked: ParsedQuestion, reply: Evidence, question: Match): Draft {
  const word = /^\W*(yes|yeah|no|nope)\b/i.exec(reply.text)?.[1]
  const says = word && asked.yesNo ? (/^n/i.test(word) ? 'No' : 'Yes') : ''
  return { sentences: [quoteRows(says, [reply]), quoteRows('To the question', question.rows)], confidence: 0.65 }
}

function lead(asked: ParsedQuestion, best: Match): string {
  if (asked.yesNo) {
    const says = polarity(asked.text, best.text)
    return says === 'unclear' || lacks(asked, best) ? '' : says === 'yes' ? 'Yes' : 'No'
  }
  const direct = directAnswer(asked.text, asked.wants, asked.topic, best.text, best.rows[0].speaker)
  return direct ? shortLine(direct, 80) : ''
}

// "Did the soldier find a camera?" is not answered with yes by a line in which he finds a telephone.
function lacks(asked: ParsedQuestion, best: Match): boolean {
  return asked.topic.terms.some(
    term =>
      term.weight >= 0.8 &&
      topicShare({ ...asked.topic, terms: [term], quoted: [] }, best.text, best.rows[0].track) < 0.5,
  )
}

// One of two key words is not enough: a password for the tour is not a password for the vault.
function minShare(asked: ParsedQuestion): number {
  if (asked.wants === 'contact') return 0.3 // an address is known by its form
  const telling = asked.topic.terms.filter(term => term.weight >= 0.8)
  const alone = asked.earlier.terms.length === 0 || asked.topic === asked.earlier
  return alone && telling.length > 1 ? 0.6 : minHeld
}

// A line without a number hardly answers "how many".
function mayAnswer(asked: ParsedQuestion, match: Match): boolean {
  if (asked.wants !== 'number' || !/\bhow (many|much)\b/i.test(asked.text)) return true
  return match.score >= 0.9 || kindBonus('number', match.text, asked.topic) > 0
}

// A follow-up question may have hardly a key word of its own.
function enough(asked: ParsedQuestion, match: Match): number {
  if (asked.earlier.terms.length === 0 || asked.topic === asked.earlier) return match.score
  const before = topicShare(asked.earlier, match.text, match.rows[0].track)
  return Math.max(match.score * (asked.topic.terms.length > 1 ? 1 : 0.6), match.score * 0.6 + before * 0.6)
}

// The same thing found on another track.
function agreeing(best: Match, ranked: readonly Match[]): Match | undefined {
  return ranked.find(
    match =>
      match.rows[0].track !== best.rows[0].track &&
      match.rows.length === 1 &&
      match.score >= Math.max(minHeld, best.score * 0.75),
  )
}

function shares(a: Match, b: Match): boolean {
  return a.rows.some(row => b.rows.includes(row))
}
