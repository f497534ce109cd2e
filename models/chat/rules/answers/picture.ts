import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { tokens } from '../../../../src/text/words.ts'
import { findAnswer } from '../extract/patterns.ts'
import { type Match, rankRows, topicShare } from '../match.ts'
import { isNameLook } from '../name-looks.ts'
import { isInSpan } from '../question-parts.ts'
import { decline, quoteEvidence, quoteRows } from '../sentence.ts'
import { foundSomething } from '../sight.ts'
import { answerLooks } from './described.ts'
import { answerFact } from './fact.ts'
import { answerWho } from './who.ts'

// A question about the picture: answered by what a vision model saw, or by words that say it; otherwise declined.
export function answerPicture(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const joined = answerWho(asked, brief) ?? answerLooks(asked, brief)
  if (joined) return joined
  const looks = brief.steps.filter(step => step.tool === 'look' && !isNameLook(step))
  const seen = new Set(looks.flatMap(step => step.evidence))
  const looked = brief.evidence.filter(row => seen.has(row.id))
  const telling = looked.filter(foundSomething)
  const rows = telling.length > 0 ? telling : looked
  const sentences = rows.slice(0, 3).map(row => quoteRows('', [row]))
  if (telling.length > 0) return { sentences, confidence: 0.6 }
  const words = { ...brief, evidence: brief.evidence.filter(row => !seen.has(row.id)) }
  const factDraft = answerFact(asked, words)
  if (!factDraft.abstained && holdsAll(asked, rankRows(asked, words.evidence)[0])) return factDraft
  if (rows.length > 0) return { sentences, confidence: 0.3, abstained: true }
  const near = rankRows(asked, brief.evidence)
    .filter(match => match.score >= 0.3 && isInSpan(asked, match.rows[0]))
    .slice(0, 2)
    .map(({ rows: [row] }) => ({ text: `The nearest is ${quoteEvidence(row)}`, cites: [row.id] }))
  const failure = looks.find(step => step.outcome === 'failed' || step.outcome === 'refused')?.text
  const why = failure ? ': none could look' : ', which this run does not have'
  const text = `This asks for what the picture shows, and that needs a vision model${why}.`
  return { ...decline(text, 0.2, ...near), cause: 'not-looked' }
}

// What may be watched as well as told, where captions stand and nothing looked: "who runs the bakery".
export function answerPictureOrFact(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const seen = answerWho(asked, brief) ?? answerLooks(asked, brief)
  const spokenDraft = answerFact(asked, brief)
  return seen ?? (spokenDraft.abstained ? answerPicture(asked, brief) : spokenDraft)
}

// Words count only if they also match what is outside quotation marks: a sign's name says nothing about the circles
// beside it.
function holdsAll(asked: ParsedQuestion, best: Match | undefined): boolean {
  if (!best) return false
  if (asked.wants === 'colour' && !findAnswer('colour', best.text)) return false
  const quoted = tokens(asked.topic.quoted.join(' ')).map(token => token.stem)
  const unquoted = asked.topic.terms.filter(term => !quoted.includes(term.stem))
  return topicShare({ ...asked.topic, quoted: [], terms: unquoted }, best.text) >= 0.7 && best.score >= 0.7
}
