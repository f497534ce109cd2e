import type { Draft, WriteBrief } from '../../../src/core/brief.ts'
import { damageAt } from '../../../src/core/video.ts'
import { isEnglish } from '../../../src/text/question/language.ts'
import type { ParsedQuestion, QuestionKind } from '../../../src/text/question/parsed-question.ts'
import { understandQuestion } from '../../../src/text/question/understand.ts'
import { answerAbout, answerContents } from './answers/about.ts'
import { compareQuantities } from './answers/compare.ts'
import { answerCount, answerUnitCount } from './answers/count.ts'
import { answerFact } from './answers/fact.ts'
import { answerDuring, answerNeighbour } from './answers/neighbour.ts'
import { answerOrder } from './answers/order.ts'
import { answerPicture, answerPictureOrFact } from './answers/picture.ts'
import { answerPresence } from './answers/presence.ts'
import { answerReason } from './answers/reason.ts'
import { answerPlaceOrNeighbour } from './answers/seen-next.ts'
import { answerSpeaking, answerUnknownSpeaker } from './answers/speaking.ts'
import { answerAtTime, answerSummary } from './answers/summary.ts'
import { answerWhen } from './answers/when.ts'
import { choose } from './options.ts'
import { choicesIn, listSpeakers, spokenBy } from './question-parts.ts'
import { decline, quoteRows } from './sentence.ts'
import { hasCaptionRows, withSight } from './sight.ts'

type AnswerKind = (asked: ParsedQuestion, brief: WriteBrief) => Draft

const answers: Record<QuestionKind, AnswerKind> = {
  fact: answerFact,
  about: answerAbout,
  contents: answerContents,
  when: answerWhen,
  count: answerCount,
  'count-units': answerUnitCount,
  order: answerOrder,
  neighbour: answerNeighbour,
  during: answerDuring,
  'at-time': answerAtTime,
  presence: answerPresence,
  summary: answerSummary,
  picture: answerPicture,
  speaking: answerSpeaking,
}

// Writes the answer from the words of the evidence.
export function writeDraft(brief: WriteBrief): Draft {
  const source = pointed(brief)
  if (source) return source
  const looked = brief.steps.some(step => step.tool === 'look' && step.outcome === 'found')
  const meant = understandQuestion(brief.question, brief.duration, brief.turns, listSpeakers(brief))
  const parsedQuestion = withSight(meant, looked || hasCaptionRows(brief))
  const options = brief.question.options ?? []
  if (!isEnglish(brief.question.text)) return notUnderstood(parsedQuestion, brief)
  const listed = parsedQuestion.kind !== 'order' ? choicesIn(brief.question.text) : []
  const moved = parsedQuestion.kind === 'neighbour' || parsedQuestion.kind === 'during' // the moment may be in the words of another speaker
  const spokenBrief = moved ? brief : { ...brief, evidence: spokenBy(parsedQuestion.speaker, brief.evidence) }
  if (parsedQuestion.speakerNumber !== undefined && !parsedQuestion.speaker)
    return answerUnknownSpeaker(parsedQuestion, brief)
  const answer = parsedQuestion !== meant && !looked ? answerPictureOrFact : answers[parsedQuestion.kind]
  const firstDraft =
    (parsedQuestion.yesNo
      ? compareQuantities(parsedQuestion, spokenBrief)
      : answerPlaceOrNeighbour(parsedQuestion, brief)) ?? answer(parsedQuestion, spokenBrief)
  const plain =
    damaged(parsedQuestion, brief) ??
    (parsedQuestion.wants === 'reason' ? answerReason(parsedQuestion, spokenBrief, firstDraft) : undefined) ??
    firstDraft
  const draft = listed.length > 0 ? chooseListed(parsedQuestion, listed, spokenBrief, plain) : plain
  return options.length > 0 ? choose(parsedQuestion, options, spokenBrief, draft) : draft
}

// Chooses among the things that the question lists itself, if evidence supports one.
function chooseListed(asked: ParsedQuestion, listed: readonly string[], brief: WriteBrief, draft: Draft): Draft {
  const { choice, sentences, confidence } = choose(asked, listed, brief, draft)
  if (
    choice === undefined ||
    (confidence ?? 0) <= 1 / listed.length + 0.05 ||
    sentences.every(one => one.cites.length === 0)
  )
    return draft
  const withChoice = sentences.map((one, i) => (i === 0 ? { ...one, text: `${listed[choice]} — ${one.text}` } : one))
  return { sentences: withChoice, confidence }
}

// Answers a question about the source of an earlier answer: when it is, or who says it.
function pointed({ question, evidence }: WriteBrief): Draft | undefined {
  const { about, references = [] } = question.refers ?? {}
  const reference = references.find(one => one.span)
  if (!about || !reference) return undefined
  const rows = evidence.filter(row => reference.evidence.includes(row.id))
  if (rows.length === 0) return undefined
  if (about === 'moment') return { sentences: rows.slice(0, 4).map(row => quoteRows('', [row])), confidence: 0.85 }
  const named = rows.find(row => row.speaker)
  if (named) return { sentences: [quoteRows(named.speaker ?? '', [named])], confidence: 0.85 }
  const text = 'Who says it is not known: the index names no speaker there.'
  return decline(text, 0.5, quoteRows('', rows.slice(0, 1)))
}

// The rules know English grammar only. An option is still chosen, by the words of the rows.
function notUnderstood(asked: ParsedQuestion, brief: WriteBrief): Draft {
  const text = 'This question is not in English, and the rules of this profile read no other language.'
  const draft: Draft = { ...decline(text, 0), cause: 'not-understood' }
  const { options = [] } = brief.question
  if (options.length === 0) return draft
  return { ...draft, choice: choose(asked, options, brief, draft).choice }
}

const decoded = ['picture', 'text', 'speech', 'sound'] as const

// Answers a question about a moment that could not be decoded: unknown, which differs from nothing.
function damaged(asked: ParsedQuestion, { coverage }: WriteBrief): Draft | undefined {
  if (!asked.span) return undefined
  const relevantTracks = decoded.filter(track => asked.tracks.includes(track))
  if (!damageAt(coverage, relevantTracks.length > 0 ? relevantTracks : decoded, asked.span)) return undefined
  return { ...decline('That is not known: this part of the file could not be decoded.', 0.9), cause: 'unreadable' }
}
