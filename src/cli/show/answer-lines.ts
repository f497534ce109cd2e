import type { Answer } from '../../core/agent.ts'
import type { AskReport } from '../../core/runtime.ts'
import { oneLine, plain } from '../sanitise.ts'
import type { Terminal } from '../terminal.ts'
import { coverageLines } from './coverage-lines.ts'
import { evidenceLine } from './evidence-line.ts'

// An answer as a person reads it: the text, the rows it cites, what was looked at, how sure it is. What was looked at need not
// be said again with every answer of a conversation.
export function answerLines(report: AskReport, { bold, dim }: Terminal, again = false): string[] {
  const { answer, coverage, question, stop } = report
  const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
  const rows = report.evidence.filter(row => cited.has(row.id))
  const choice = answer.choice === undefined ? undefined : question.options?.[answer.choice]
  return [
    ...(choice === undefined ? [] : [bold(`${letter(answer.choice ?? 0)}. ${oneLine(choice)}`)]),
    bold(plain(answer.text)),
    '',
    ...rows.map(row => evidenceLine(row)),
    ...(rows.length > 0 ? [''] : []),
    ...(again ? [] : coverageLines(coverage).map(dim)),
    dim(`Confidence: ${answer.confidence.toFixed(2)}${answer.abstained ? ' (no answer found in the video)' : ''}`),
    ...remarks(answer, stop),
  ]
}

function remarks(answer: Answer, stop: AskReport['stop']): string[] {
  const stopped = stop === 'answered' ? [] : [stopText(stop)]
  return [...answer.degraded, ...stopped].map(note => `Note: ${oneLine(note)}`)
}

function stopText(stop: AskReport['stop']): string {
  if (stop === 'interrupted') return 'stopped before the end; this is the best answer so far.'
  if (stop === 'failed') return 'a model failed before the end; this is the best answer so far.'
  return `the limit of ${stop} was reached (--max-${stop}); this is the best answer so far.`
}

function letter(choice: number): string {
  return String.fromCharCode(65 + choice)
}
