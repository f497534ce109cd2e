import type { Answer, Question } from '../../core/agent.ts'
import { UsageError } from '../../core/errors.ts'
import type { AskReport } from '../../core/runtime.ts'
import type { Call } from '../call.ts'
import { askDocument } from '../documents.ts'
import { exitCodes } from '../fail.ts'
import { oneLine, plain } from '../sanitise.ts'
import { coverageLines, isPartial } from '../show/coverage-lines.ts'
import { evidenceLine } from '../show/evidence-line.ts'
import type { CommandRun } from '../table-types.ts'
import { result, watching } from '../watching.ts'

const ask: CommandRun = async call => {
  const question = readQuestion(call)
  const runtime = await call.runtime()
  const report = await watching(call, watch =>
    runtime.ask(call.arguments[0], question, { watch, signal: call.signal, graph: call.text('--graph') }),
  )
  result(
    call,
    () => askDocument(report),
    () => answerLines(report, call),
  )
  return exitCode(report)
}
export default ask

function readQuestion(call: Call): Question {
  const text = call.arguments[1].trim()
  if (text === '')
    throw new UsageError('The question is empty.', { hint: 'For example: longtake ask talk.mp4 "Who speaks first?"' })
  const given = call.text('--options')
  if (given === undefined) return { text }
  const options = given.split('|').map(option => option.trim())
  if (options.length >= 2 && !options.includes('')) return { text, options }
  throw new UsageError(`--options "${given}" needs two answers or more, none of them empty.`, {
    hint: 'Write them as --options "Paris|Rome|Oslo".',
  })
}

// A run never ends without an answer; the code says what stood in the way of a better one.
function exitCode({ stop, coverage }: AskReport): number {
  if (stop === 'interrupted') return exitCodes.interrupted
  if (stop === 'failed') return exitCodes.backend
  if (stop !== 'answered') return exitCodes.limit
  return isPartial(coverage) ? exitCodes.partial : exitCodes.ok
}

function answerLines(report: AskReport, call: Call): string[] {
  const { answer, coverage, question, stop } = report
  const { bold, dim } = call.terminal
  const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
  const rows = report.evidence.filter(row => cited.has(row.id))
  const choice = answer.choice === undefined ? undefined : question.options?.[answer.choice]
  return [
    ...(choice === undefined ? [] : [bold(`${letter(answer.choice ?? 0)}. ${oneLine(choice)}`)]),
    bold(plain(answer.text)),
    '',
    ...rows.map(row => evidenceLine(row)),
    ...(rows.length > 0 ? [''] : []),
    ...coverageLines(coverage).map(dim),
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
