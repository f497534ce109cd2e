import type { OptionVerdict, Question, Step } from '../../src/core/agent.ts'
import { buildCalls } from '../../src/core/calls/kinds.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Tool } from '../../src/core/tool.ts'
import { type Clue, chosenByVerdict, findClues, verdictByWords } from '../../src/text/question/clues.ts'
import { isNegated } from '../../src/text/question/negation.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { tokens } from '../../src/text/words.ts'
import type { Choosing, Policy } from '../session.ts'

// What only one option has is searched for. Where rules write, each option is then judged by the words of the rows, and theirs gives
// way as said under "The choice" in docs/agent.md; a model compares the options itself, over all of the evidence.
export default {
  calls: ({ parts: { question, tools } }, { steps }) =>
    question.options ? clueCalls(findClues(question), steps, tools) : [],
  async weigh({ parts: { question, writer }, ledger }) {
    if (!question.options || writer.accepts.has('text')) return {}
    const rows = ledger.all()
    return {
      options: findClues(question)
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

// A search for each clue that no earlier call looked for.
export function clueCalls(clues: readonly Clue[], steps: readonly Step[], tools: readonly Tool[]): ToolCall[] {
  const inputs = steps.map(step => JSON.stringify(step.input ?? '').slice(0, 2000))
  return clues
    .filter(clue => clue.query !== '' && !inputs.some(input => coverage(tokens(clue.query), input) >= 0.9))
    .slice(0, 8)
    .flatMap(({ option, query }) => buildCalls(tools, 'search', `clue-${option}`, { query, k: 4 }))
}
