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
import { tryClaim } from '../nodes/judge.ts'
import type { AgentSession, Choosing, Policy } from '../session.ts'

// Each option is a hypothesis: what only it has is searched for, then it is judged for itself. The writer is told, and gives
// way as said under "The choice" in docs/agent.md.
export default {
  calls: ({ parts: { question, tools } }, { steps }) =>
    question.options ? clueCalls(cluesOf(question), steps, tools) : [],
  async weigh(session) {
    const { question } = session.parts
    if (!question.options) return {}
    const clues = cluesOf(question).slice(0, 10)
    return { options: await Promise.all(clues.map(clue => tryOption(session, clue))) }
  },
  choose: (session, { weighed }, choosing) => chosenByClues(session, weighed?.options ?? [], choosing),
} satisfies Policy

async function tryOption(session: AgentSession, clue: Clue): Promise<OptionVerdict> {
  const { question, verifier } = session.parts
  const ledger = [...session.ledger.values()]
  const plain = verdictByWords(clue, question, ledger)
  if (!verifier.accepts.has('text')) return plain
  const rows = rowsOfOption(clue, question, ledger)
  if (rows.length === 0) return plain
  const claim = `To the question "${question.text}" the answer is: ${question.options?.[clue.option] ?? ''}`
  const reply = await tryClaim(session, claim, rows)
  return reply ? { option: clue.option, clue: clue.words, ...reply, cites: rows.map(row => row.id) } : plain
}

function chosenByClues(
  { parts: { question, verifier } }: AgentSession,
  verdicts: readonly OptionVerdict[],
  { written, traps, impossible, held }: Choosing,
): number | undefined {
  const byClue = chosenByVerdict(verdicts, isNegated(question.text), impossible)
  if (!byClue || written === undefined) return byClue?.option
  const own = verdicts.find(one => one.option === written)?.verdict
  const refuted = traps.some(trap => trap.kind === 'negated') ? own === 'supported' : own === 'contradicted'
  // Verdicts by words alone are too weak to overrule what held.
  const sure = byClue.sure && verifier.accepts.has('text')
  const outdone = own !== 'supported' && own !== undefined && (sure || held.length === 0)
  return refuted || outdone ? byClue.option : undefined
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
  const asked = contentWords(question.text)
  return options.map((text, option) => {
    const all = terms[option] ?? []
    const others = terms.flatMap((list, i) => (i === option ? [] : list))
    const own = all.filter(term => !others.some(other => other.stem === term.stem))
    const words = wordsOf(own.length > 0 ? own : all) || text
    // A bare number or two says too little to search with: the words of the question go along.
    const query = own.some(term => !/^\d+$/.test(term.text)) ? words : `${wordsOf(asked.slice(0, 6))} ${words}`.trim()
    return { option, words, query: query.slice(0, 200) }
  })
}

// A search for each clue that no earlier call looked for.
export function clueCalls(clues: readonly Clue[], steps: readonly Step[], tools: readonly Tool[]): ToolCall[] {
  const asked = steps.map(step => JSON.stringify(step.input ?? '').slice(0, 2000))
  return clues
    .filter(clue => clue.query !== '' && !asked.some(input => coverage(tokens(clue.query), input) >= 0.9))
    .slice(0, 8)
    .flatMap(({ option, query }) => callsOf(tools, 'search', `clue-${option}`, { query, k: 4 }))
}

// The rows that an option is tried against: those that hold its clue, then those that hold the question.
function rowsOfOption(clue: Clue, question: Question, ledger: readonly Evidence[]): Evidence[] {
  const own = rowsAbout(contentWords(clue.words), ledger, 4, 0.5)
  const about = rowsAbout(contentWords(question.text), own.length > 0 ? near(own, ledger) : ledger, 3, 0.3)
  return [...new Map([...own, ...about].map(row => [row.id, row])).values()]
}

// Without a model that reads: found is what stands in a row that also holds, or stands beside, words of the question.
export function verdictByWords(clue: Clue, question: Question, ledger: readonly Evidence[]): OptionVerdict {
  const terms = contentWords(clue.words)
  const asked = contentWords(question.text)
  const hits = rowsAbout(terms, ledger, 8, 0.75)
  const held = hits.find(row => asked.length === 0 || near([row], ledger).some(one => holdsSome(asked, one)))
  const base = { option: clue.option, clue: clue.words }
  if (held)
    return { ...base, verdict: 'supported', reason: 'its words stand where the question points', cites: [held.id] }
  const reason = hits.length > 0 ? 'its words occur, but not where the question points' : 'its words were not found'
  return { ...base, verdict: 'unseen', reason, cites: [] }
}

// The option that the verdicts speak for, where they speak for one alone; the odd one out where the question is negated. Sure is
// what was found, not what was left over.
export function chosenByVerdict(
  verdicts: readonly OptionVerdict[],
  negated: boolean,
  impossible: readonly number[],
): { option: number; sure: boolean } | undefined {
  const open = verdicts.filter(one => !impossible.includes(one.option))
  const wanted = negated
    ? open.filter(one => one.verdict !== 'supported')
    : open.filter(one => one.verdict === 'supported')
  const [found, another] = wanted
  if (found && !another) return { option: found.option, sure: !negated }
  const [left, more] = negated ? [] : open.filter(one => one.verdict !== 'contradicted')
  return left && !more && verdicts.length > 1 ? { option: left.option, sure: false } : undefined
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
