import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime } from '../../../../src/core/evidence.ts'
import { noSpeaker, speakingTimes } from '../../../../src/core/speakers.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { isInSpan, listSpeakers } from '../question-parts.ts'
import { decline } from '../sentence.ts'

const maxCites = 20 // lines of one speaker
const tie = 0.5 // seconds

// Who speaks most, or least, or how long one or each of them does.
export function answerSpeaking(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const { speaker } = asked
  const rows = brief.evidence.filter(row => row.track === 'speech' && isInSpan(asked, row)).sort(byTime)
  const times = speakingTimes(rows)
    .filter(one => !speaker || one.speaker === speaker)
    .sort((a, b) => b.seconds - a.seconds)
  if (times.length === 0) return answerUnknownSpeaker(asked, brief)
  const leastAsked = /\b(least|shortest)\b/i.test(asked.main)
  const ordered = leastAsked ? times.reverse() : times
  const [first, second] = ordered
  // Two who speak as long are not told apart: the lengths say it.
  const differ = first && second && Math.abs(first.seconds - second.seconds) >= tie
  const rank = differ && !/\bhow\b/i.test(asked.main) ? (leastAsked ? ' least' : ' most') : ''
  return {
    sentences: ordered.slice(0, 8).map(({ speaker, seconds, lines }, at) => ({
      text: `${speaker} speaks${at === 0 ? rank : ''}: ${lines} ${lines === 1 ? 'line' : 'lines'} of ${formatLength(seconds)} together`,
      cites: rows.flatMap(row => (row.speaker === speaker ? [row.id] : [])).slice(0, maxCites),
    })),
    confidence: 0.7,
  }
}

// Says that nobody is known whom the question means: an answer from the lines of others would be a guess.
export function answerUnknownSpeaker({ speakerNumber }: ParsedQuestion, brief: WriteBrief): Draft {
  return decline(noSpeaker(speakerNumber === undefined ? '' : `${speakerNumber}`, listSpeakers(brief)), 0.6)
}

function formatLength(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`
}
