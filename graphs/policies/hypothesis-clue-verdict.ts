import type { OptionVerdict, Question, Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { Tool } from '../../src/core/tool.ts'
import { optionText } from '../../src/text/option.ts'
import { isNegated } from '../../src/text/question/negation.ts'
import { contentWords, rowsAbout } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { type Token, tokens } from '../../src/text/words.ts'
import { callsOf } from '../calls/kinds.ts'
import type { Choosing, Policy } from '../session.ts'

// What only one option has is searched for. Where rules write, each option is then judged by the words of the rows, and theirs gives
// way as said under "The choice" in docs/agent.md; a model compares the options itself, over all of the evidence.
export default {
  calls: ({ parts: { question, tools } }, { steps }) =>
    question.options ? clueCalls(cluesOf(question), steps, tools) : [],
  async weigh({ parts: { question, writer }, ledger }) {
    if (!question.options || writer.accepts.has('text')) return {}
    const rows = ledger.all()
    return {
      options: cluesOf(question)
        .slice(0, 10)
        .map(clue => verdictByWords(clue, question, rows)),
    }
  },
  choose: (session, { weighed }, choosing) => chosenByClues(session.parts.question, weighed?.options ?? [], choosing),
} satisfies Policy

function chosenByClues(
  question: Question,
  verdicts: readonly OptionVerdict[],
  { written, held }: Choosing,
): number | undefined {
  const negated = isNegated(question.text)
  const option = chosenByVerdict(verdicts, negated)
  if (option === undefined || written === undefined) return option
  const writtenVerdict = verdicts.find(one => one.option === written)?.verdict
  const refuted = negated && writtenVerdict === 'supported'
  const outdone = writtenVerdict !== 'supported' && writtenVerdict !== undefined && held.length === 0
  return refuted || outdone ? option : undefined
}

// What an option has and the others have not.
export interface Clue {
  option: number
  words: string
  query: string
}

export function cluesOf(question: Question): Clue[] {
  const options = (question.options ?? []).map(optionText)
  const terms = options.map(option => contentWords(option))
  const questionTerms = contentWords(question.text)
  return options.map((text, option) => {
    const all = terms[option] ?? []
    const otherTerms = terms.flatMap((list, i) => (i === option ? [] : list))
    const distinctTerms = all.filter(term => !otherTerms.some(other => other.stem === term.stem))
    const words = wordsOf(distinctTerms.length > 0 ? distinctTerms : all) || text
    // A bare number or two says too little to search with: the words of the question go along.
    const query = distinctTerms.some(term => !/^\d+$/.test(term.text))
      ? words
      : `${wordsOf(questionTerms.slice(0, 6))} ${words}`.trim()
    return { option, words, query: query.slice(0, 200) }
  })
}

// A search for each clue that no earlier call looked for.
export function clueCalls(clues: readonly Clue[], steps: readonly Step[], tools: readonly Tool[]): ToolCall[] {
  const inputs = steps.map(step => JSON.stringify(step.input ?? '').slice(0, 2000))
  return clues
    .filter(clue => clue.query !== '' && !inputs.some(input => coverage(tokens(clue.query), input) >= 0.9))
    .slice(0, 8)
    .flatMap(({ option, query }) => callsOf(tools, 'search', `clue-${option}`, { query, k: 4 }))
}

// Without a model that reads: found is what stands in a row that also holds, or stands beside, words of the question.
export function verdictByWords(clue: Clue, question: Question, ledger: readonly Evidence[]): OptionVerdict {
  const terms = contentWords(clue.words)
  const questionTerms = contentWords(question.text)
  const hits = rowsAbout(terms, ledger, 8, 0.75)
  const hit = hits.find(
    row => questionTerms.length === 0 || near([row], ledger).some(one => holdsSome(questionTerms, one)),
  )
  const base = { option: clue.option, clue: clue.words }
  if (hit)
    return { ...base, verdict: 'supported', reason: 'its words stand where the question points', cites: [hit.id] }
  const reason = hits.length > 0 ? 'its words occur, but not where the question points' : 'its words were not found'
  return { ...base, verdict: 'unseen', reason, cites: [] }
}

// The option that the verdicts speak for, where they speak for one alone; the odd one out where the question is negated.
export function chosenByVerdict(verdicts: readonly OptionVerdict[], negated: boolean): number | undefined {
  const [found, another] = verdicts.filter(one => (one.verdict === 'supported') !== negated)
  return found && !another ? found.option : undefined
}

const beside = 15 // seconds

function near(rows: readonly Evidence[], ledger: readonly Evidence[]): Evidence[] {
  return ledger.filter(one =>
    rows.some(row => one.span.start <= row.span.end + beside && one.span.end >= row.span.start - beside),
  )
}

function holdsSome(terms: readonly Token[], row: Evidence): boolean {
  return terms.some(term => coverage([term], row.text) >= 0.75)
}

function wordsOf(terms: readonly Token[]): string {
  return [...new Set(terms.map(term => term.text))].join(' ')
}
