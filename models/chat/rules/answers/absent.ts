import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import type { Topic } from '../../../../src/text/question/topic.ts'
import { tellingWords } from '../../../../src/text/words.ts'
import { type Match, rankRows } from '../match.ts'
import { decline, quoteEvidence } from '../sentence.ts'

// Answers that the index does not hold it, with the nearest moments.
export function answerAbsent(asked: ParsedQuestion, brief: WriteBrief, what?: string): Draft {
  const [quote] = asked.topic.quoted
  const subject = what ?? `"${quote ?? asked.topic.words}"`
  const limits = (['speech', 'text', 'sound'] as const)
    .filter(track => brief.coverage[track].state !== 'indexed')
    .map(track => `${track} ${brief.coverage[track].state}`)
  const scope = `as far as it is indexed${limits.length > 0 ? ` (${limits.join(', ')})` : ''}`
  const near = rankRows({ topic: everyWord(asked), tracks: asked.tracks }, brief.evidence)
    .filter(match => match.score >= 0.2)
    .slice(0, 2)
  const first = `The video does not say: nothing about ${subject === '""' ? 'that' : subject} is said or shown, ${scope}.`
  const confidence = near[0] ? 0.5 - Math.min(0.4, near[0].score * 0.5) : 0.6
  return decline(first, confidence, ...near.map(match => ({ text: nearest(match), cites: [match.rows[0].id] })))
}

// A weak match is cited without its text: quoted, it would read like an answer.
function nearest(match: Match): string {
  return match.score >= 0.5 ? `The nearest is ${quoteEvidence(match.rows[0])}` : 'The nearest moment'
}

// For the nearest moments light words such as "heard" and "away" count too.
function everyWord(asked: ParsedQuestion): Topic {
  const topicStems = new Set(asked.topic.terms.map(term => term.stem))
  const more = tellingWords(asked.text).filter(token => !topicStems.has(token.stem))
  return { ...asked.topic, terms: [...asked.topic.terms, ...more.map(token => ({ ...token, weight: 0.25 }))] }
}
