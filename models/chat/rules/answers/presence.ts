import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { rankRows } from '../match.ts'
import { polarity } from '../polarity.ts'
import { isOnTracks } from '../question-parts.ts'
import { quoteRows } from '../sentence.ts'
import { answerAbsent } from './absent.ts'
import { answerFact } from './fact.ts'

const sure = 0.7

// Whether a thing is in the video at all.
export function answerPresence(asked: ParsedQuestion, brief: WriteBrief): Draft {
  if (asked.topic.terms.length === 0) return answerFact(asked, brief)
  const ranked = rankRows({ ...asked, wants: undefined }, brief.evidence)
  const hits = ranked.filter(match => match.score >= sure)
  const onTrack = hits.filter(match => isOnTracks(asked, match.rows[0]))
  const best = onTrack[0]
  if (!best) {
    const other = hits[0]
    if (!other) return answerAbsent(asked, brief)
    return { sentences: [quoteRows('Not there as asked, but elsewhere', other.rows)], confidence: 0.5 }
  }
  const rows = onTrack
    .filter(match => match.rows.length === 1 && match.score >= best.score - 0.1)
    .slice(0, 3)
    .flatMap(match => match.rows)
  const quotes = rows.length > 0 ? rows.sort(byTime) : best.rows
  const says = polarity(asked.text, best.text)
  return {
    sentences: [quoteRows(deniesAll(best.text) || (says === 'no' && isClaim(asked)) ? 'No' : 'Yes', quotes)],
    confidence: Math.min(0.9, 0.3 + 0.6 * best.score),
  }
}

// "Does the sign say that the shop is open?" asks more than whether the words occur.
function isClaim(asked: ParsedQuestion): boolean {
  return /\bthat\b.*\b(is|are|was|were|has|have|will|can)\b/i.test(asked.text)
}

function deniesAll(text: string): boolean {
  return /\b(nobody|no one|none|never|nothing)\b/i.test(text)
}
