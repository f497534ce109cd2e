import type { Evidence } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { noTopic, type Term, type Topic } from '../../../../src/text/question/topic.ts'
import { soundsLike, weighTerm, wordSimilarity } from '../../../../src/text/word-similarity.ts'
import { tokens } from '../../../../src/text/words.ts'
import { isMeasure } from '../extract/number.ts'
import { isInformative, topicShare } from '../match.ts'
import { isInSpan, isOnTracks } from '../question-parts.ts'
import { optionTopics, sharedTopic } from '../topics.ts'
import type { OptionScore, ScoreOptions } from './fixed.ts'

// The general case: scores an option by the best moment that holds its words near those of the question, and by the
// answer that was found without options.
export const byEvidence: ScoreOptions<OptionScore[]> = (asked, options, brief, draft) => {
  const topics = optionTopics(options)
  // "Line" of "Line 5, Line 31" is part of the question; "dollars" is only the measure of the answer.
  const common = sharedTopic(options).terms.filter(
    term => !isMeasure(term) && !asked.topic.terms.some(own => own.stem === term.stem),
  )
  const sort = sortAsked(asked.text)
  const terms = [...asked.topic.terms.map(term => withItsSort(term, sort)), ...common]
  const question = withoutOptions({ ...asked.topic, terms }, topics)
  const rows = brief.evidence.filter(isInformative)
  const cited = new Set(draft.abstained ? [] : draft.sentences.flatMap(sentence => sentence.cites))
  const answered = draft.abstained ? '' : (draft.sentences[0]?.text ?? '')
  // If the question lists the options itself, being in the video at all counts.
  const min = options.every(option => asked.text.toLowerCase().includes(option.toLowerCase())) ? 0.5 : 0
  const nearQuestion = new Map(rows.map(row => [row.id, Math.max(min, questionNear(question, row, rows))]))
  const trusted = Math.max(0, ...[...cited].map(id => nearQuestion.get(id) ?? 0))
  return options.map((option, at): OptionScore => {
    const topic = topics[at] ?? noTopic
    let best: { score: number; row?: Evidence } = { score: 0 }
    for (const row of rows) {
      const near = nearQuestion.get(row.id) ?? 0
      const share = Math.max(topicShare(topic, row.text, row.track), misheard(topic, question, row, near))
      if (share < (cited.has(row.id) ? 0.15 : 0.3)) continue
      const there = isInSpan(asked, row) ? 1 : 0.5
      const onTrack = isOnTracks(asked, row) ? 1 : 0.5
      const beside = closeness(topic, question, row.text) * denial(asked, topic, row.text)
      const whole = saysWhole(option, row.text) ? (sort && saysWhole(`${sort} ${option}`, row.text) ? 1.8 : 1.2) : 1
      // A row found at the moment that the question names need not hold words of the question.
      const byMoment = asked.anchor && !asked.anchor.loose ? 0.6 : 0.2 * near
      const trust = Math.min(1, 0.15 + 0.65 * near + (cited.has(row.id) ? byMoment : 0))
      const score = share * trust * onTrack * there * beside * whole
      if (score > best.score) best = { score, row }
    }
    const direct = answered ? 0.25 * trusted * topicShare(topic, answered) : 0
    return { score: Math.min(1, best.score + direct), rows: best.row ? [best.row] : [] }
  })
}

// "bus" in "which bus goes to the museum?".
function sortAsked(question: string): string | undefined {
  return /\b(?:which|what)\s+([\p{L}-]+)/iu.exec(question)?.[1]
}

// The line that answers "which bus?" need not say "bus"; but of several options the one beside that word is the better.
function withItsSort(term: Term, sort: string | undefined): Term {
  return sort && tokens(sort).some(token => token.stem === term.stem) ? { ...term, weight: weighTerm(term) } : term
}

// "Line 31" stands in "Bus line 31" word for word, not only as its number.
function saysWhole(option: string, text: string): boolean {
  const plain = (words: string) =>
    ` ${tokens(words)
      .map(token => token.stem)
      .join(' ')} `
  return tokens(option).length > 1 && plain(text).includes(plain(option))
}

// If the question itself lists the options, their words do not help to choose.
function withoutOptions(question: Topic, options: readonly Topic[]): Topic {
  const optionStems = options.flatMap(option => option.terms.map(term => term.stem))
  return { ...question, terms: question.terms.filter(term => !optionStems.includes(term.stem)) }
}

// Of two options in one line the one nearer to the question's words is better: "basalt is heavy, pumice floats".
function closeness(option: Topic, question: Topic, text: string): number {
  const words = tokens(text)
  const places = (topic: Topic) =>
    words.flatMap((word, i) => (topic.terms.some(term => wordSimilarity(term, word) >= 0.6) ? [i] : []))
  const [a, b] = [places(option), places(question)]
  if (a.length === 0 || b.length === 0) return 0.9
  const gap = Math.min(...a.flatMap(i => b.filter(j => j !== i).map(j => Math.abs(i - j))), 20)
  return 0.8 + 0.2 * Math.exp(-gap / 6)
}

// "What should one not bring?" is answered by an option after "no" or "not".
function denial(asked: ParsedQuestion, option: Topic, text: string): number {
  if (!/\b(not|never)\b|n't\b/i.test(asked.text)) return 1
  const words = tokens(text)
  const at = words.findIndex(word => option.terms.some(term => wordSimilarity(term, word) >= 0.6))
  const before = words.slice(Math.max(0, at - 4), Math.max(0, at))
  return before.some(word => /^(no|not|never|without|except|dont|cannot|cant|nor)$/.test(word.text)) ? 1 : 0.5
}

// In a line of speech that clearly matches the question, an option may occur misheard, as words that sound alike.
function misheard(option: Topic, question: Topic, row: Evidence, near: number): number {
  const telling = question.terms.filter(term => term.weight >= 0.6).length
  if (row.track !== 'speech' || near < 0.6 || telling < 2 || option.terms.length === 0) return 0
  const rest = tokens(row.text).filter(word => !question.terms.some(term => wordSimilarity(term, word) >= 0.6))
  const like = option.terms.map(term => soundsLike(term.text, rest)).reduce((sum, share) => sum + share, 0)
  return Math.max(0, like / option.terms.length - 0.2)
}

// The share of the question that a row and the seconds around it hold.
function questionNear(question: Topic, row: Evidence, rows: readonly Evidence[]): number {
  if (question.terms.length === 0) return 0.5
  const rowShare = topicShare(question, row.text, row.track)
  if (rowShare >= 0.8) return rowShare
  const around = rows.filter(other => other.span.start < row.span.end + 3 && other.span.end > row.span.start - 3)
  const text = around.map(other => other.text).join('\n')
  return Math.max(rowShare, 0.6 * topicShare(question, text))
}
