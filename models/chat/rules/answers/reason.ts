import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import { areCompatible } from '../../../../src/text/people/name-form.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { findWord } from '../../../../src/text/word-similarity.ts'
import { isStopWord, type Token, tokens } from '../../../../src/text/words.ts'
import { isGivenName, namesSaid, parseAction, type QuestionAction } from '../action.ts'
import { findAnswer } from '../extract/patterns.ts'
import { type Match, rankRows, topicShare } from '../match.ts'
import { quoteRows, shortLine } from '../sentence.ts'
import { answerAbsent } from './absent.ts'

const wholeDeed = 0.7 // share of its words, where the line names nobody
const mostOfDeed = 0.5

// Why somebody does something: the line that gives a reason for the deed, where what is stated first gives none. Names weigh
// most in a question, so the caption with the name alone would stand before it.
export function answerReason(asked: ParsedQuestion, brief: WriteBrief, found: Draft): Draft | undefined {
  const first = brief.evidence.filter(row => found.sentences[0]?.cites.includes(row.id))
  if (!found.abstained && first.some(row => row.track !== 'picture' && findAnswer('reason', row.text))) return undefined
  const [best, other] = reasonsFor(asked, brief.evidence)
  if (!best) return namesOnly(asked, first) ? answerAbsent(asked, brief) : undefined
  const quoteReason = (match: Match) => quoteRows(shortLine(findAnswer('reason', match.text) ?? '', 80), match.rows)
  if (other && isRival(asked, best, other))
    return { sentences: [quoteReason(best), quoteReason(other)], confidence: 0.4 }
  return { sentences: [quoteReason(best)], confidence: parseAction(asked.text).byClothes ? 0.6 : 0.7 }
}

// The caption "Barbara Harrison, carpenter" says nothing of what she does.
function namesOnly(asked: ParsedQuestion, cited: readonly Evidence[]): boolean {
  const deed = parseAction(asked.text)
  if (deed.names.length === 0 || deed.topic.terms.length === 0 || cited.length === 0) return false
  return cited.every(row => topicShare(deed.topic, row.text, row.track) === 0)
}

// Lines that give a reason for what the named or described person does, best first.
export function reasonsFor(asked: ParsedQuestion, rows: readonly Evidence[]): Match[] {
  const deed = parseAction(asked.text)
  if (asked.wants !== 'reason' || deed.topic.terms.length === 0) return []
  if (deed.names.length === 0 && !deed.byClothes) return []
  const words = rows.filter(row => row.track === 'speech' || row.track === 'text')
  return rankRows({ topic: deed.topic, wants: 'reason' }, words)
    .flatMap(match => {
      const line = before(match.text)
      const share = line === undefined ? 0 : topicShare(deed.topic, line)
      const isNamed = line !== undefined && names(deed, line)
      const fits =
        deed.names.length === 0
          ? share >= mostOfDeed
          : isNamed
            ? share >= mostOfDeed
            : share >= wholeDeed && namesNobody(deed, line ?? '')
      return fits ? [{ match, rank: share + (isNamed ? 0.5 : 0) - (match.rows.length - 1) * 0.1 }] : []
    })
    .sort((a, b) => b.rank - a.rank)
    .map(({ match }) => match)
}

// What stands before the reason: who does what.
export function before(text: string): string | undefined {
  const because = findAnswer('reason', text)
  return because && text.slice(0, text.indexOf(because))
}

// A namesake is somebody else: the name before the deed is one that was asked for. A given name may be misheard where no other stands.
function names({ names, topic }: QuestionAction, line: string): boolean {
  const lineNames = namesSaid(line)
  const before = namesSaid(line.slice(0, deedAt(topic, line)))
  if (lineNames.length === 0)
    return names.some(name => givenNames(name).some(word => findWord(word, tokens(line)).score >= 0.6))
  return (before.length > 0 ? before : lineNames).every(one => names.some(name => areCompatible(name, one)))
}

function givenNames(name: string): readonly Token[] {
  return tokens(name).filter(isGivenName).slice(0, 1)
}

// Where the first word of the deed stands.
function deedAt(topic: QuestionAction['topic'], line: string): number | undefined {
  return tokens(line).find(word => topic.terms.some(term => isForm(term, word)))?.start
}

// "He takes the lamp" may be anybody; "Tom takes the lamp" and "the farmer takes the lamp" are somebody else.
function namesNobody({ topic }: QuestionAction, line: string): boolean {
  const words = tokens(line)
  const at = words.findIndex(word => topic.terms.some(term => isForm(term, word)))
  return words.slice(0, at).every(word => isStopWord(word.text)) && !words.some(isGivenName)
}

function isForm(term: Token, word: Token): boolean {
  return findWord(term, [word]).score >= 0.6 || word.text.startsWith(term.text)
}

// Clothes by themselves do not tell two people apart who both do it, each for a reason of their own.
function isRival(asked: ParsedQuestion, best: Match, other: Match): boolean {
  const shared = best.rows.some(row => other.rows.includes(row))
  const reasonStems = (match: Match) =>
    tokens(findAnswer('reason', match.text) ?? '')
      .map(token => token.stem)
      .join(' ')
  return parseAction(asked.text).names.length === 0 && !shared && reasonStems(best) !== reasonStems(other)
}
