import type { OptionVerdict, Question } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import { optionText } from '../option.ts'
import { contentWords, rowsAbout } from '../terms.ts'
import { coverage } from '../word-similarity.ts'
import type { Token } from '../words.ts'

// What an option has and the others have not.
export interface Clue {
  option: number
  words: string
  query: string
}

export function findClues(question: Question): Clue[] {
  const options = (question.options ?? []).map(optionText)
  const terms = options.map(option => contentWords(option))
  const questionTerms = contentWords(question.text)
  return options.map((text, option) => {
    const all = terms[option] ?? []
    const otherTerms = terms.flatMap((list, i) => (i === option ? [] : list))
    const distinctTerms = all.filter(term => !otherTerms.some(other => other.stem === term.stem))
    const words = joinWords(distinctTerms.length > 0 ? distinctTerms : all) || text
    // A bare number or two says too little to search with: the words of the question go along.
    const query = distinctTerms.some(term => !/^\d+$/.test(term.text))
      ? words
      : `${joinWords(questionTerms.slice(0, 6))} ${words}`.trim()
    return { option, words, query: query.slice(0, 200) }
  })
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

function joinWords(terms: readonly Token[]): string {
  return [...new Set(terms.map(term => term.text))].join(' ')
}
