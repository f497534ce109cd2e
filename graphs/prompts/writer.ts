import { z } from 'zod'
import type { Step } from '../../src/core/agent.ts'
import { DraftReply, type EarlierTurn, type WriteBrief } from '../../src/core/brief.ts'
import { answerTokens, type ChatRequest, textContent } from '../../src/core/chat.ts'
import { byTime, type Evidence, rowLine } from '../../src/core/evidence.ts'
import type { Coverage, Overview } from '../../src/core/video.ts'
import { dataRule, fence } from '../../src/core/words/fence.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import type { RunState } from '../state.ts'
import { coverageBlock, questionBlock, stepsWithoutClock } from './blocks.ts'

// The writer of `investigate` and of the baselines.

const writerRules = `Answer the question from the evidence rows only. Reply as JSON: {"sentences":[{"text","cites":[ids]}],"choice"?,"confidence","abstained","cause"?,"unknown":[parts of the question that the rows do not answer]}.
Answer directly in the first sentence, concisely. Cite the ids of the rows that support each sentence, in "cites" only. State a time only if the question asks when or in what order, exactly as the rows give it; the times of cited rows are added for you. A reasonable inference is welcome: say that it is likely.
If options are given, compare all of them against all rows and set "choice" to the index (from 0) of the best one. Lower the confidence if the rows hardly decide. Choose "the video does not say" only if the rows support no other option.
If the rows do not answer the question, set "abstained" to true and say what is missing; if they say that it is there but cannot be read or made out, set "cause" to "unreadable".
${dataRule}`

// Made once: a schema costs more than the rest of a prompt.
const draftSchema = { name: 'draft', schema: z.toJSONSchema(DraftReply) }

interface WriteInput {
  state: RunState
  turns: EarlierTurn[]
  coverage: Coverage
  overview?: Overview
  hints: string[]
  lists: ReadonlySet<string> // tools whose rows are no hits, as they list everything
  ledgerCharacters: number
}

export function writeRequest(input: WriteInput): ChatRequest {
  const { state } = input
  const brief: WriteBrief = {
    kind: 'write',
    question: state.question,
    duration: input.coverage.duration,
    turns: input.turns,
    coverage: input.coverage,
    overview: input.overview,
    steps: stepsWithoutClock(state.steps),
    evidence: state.evidence,
  }
  const finding = state.steps.filter(step => !input.lists.has(step.tool))
  const { rows, rest } = compact(state.question.text, state.evidence, finding, input.ledgerCharacters)
  const parts = [
    questionBlock(state, input.turns),
    coverageBlock(input.coverage),
    fence('evidence', rows.map(rowLine).join('\n') || '(none)'),
    rest.length > 0 ? `Left out because of length: ${rest.slice(0, 200).join(' ')}` : '',
    input.hints.join('\n'),
  ]
  return {
    purpose: 'write',
    messages: [
      { role: 'system', content: textContent(writerRules) },
      { role: 'user', content: textContent(parts.filter(Boolean).join('\n\n')) },
    ],
    schema: draftSchema,
    temperature: 0.1,
    maxTokens: answerTokens.write,
    brief,
  }
}

interface Compacted {
  rows: Evidence[] // in full, in the order of the video
  rest: string[] // ids of those that did not fit; none is ever forgotten
}

// What of the ledger fits into a prompt: first what the steps found, then what holds the words of the question.
export function compact(
  question: string,
  ledger: readonly Evidence[],
  steps: readonly Step[],
  characters: number,
): Compacted {
  const size = (row: Evidence) => Math.min(row.text.length, 600) + 40
  if (ledger.reduce((sum, row) => sum + size(row), 0) <= characters) return { rows: [...ledger].sort(byTime), rest: [] }
  const hitIds = new Set(steps.flatMap(step => step.evidence))
  const terms = tokens(question).filter(token => !isStopWord(token.text))
  const ranked = ledger
    .map((row, at) => ({
      row,
      at,
      score: coverage(terms, row.text) + (hitIds.has(row.id) ? 0.5 : 0),
    }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const rows: Evidence[] = []
  const rest: string[] = []
  let used = 0
  for (const { row } of ranked) {
    used += size(row)
    if (used <= characters) rows.push(row)
    else rest.push(row.id)
  }
  return { rows: rows.sort(byTime), rest }
}
