import { z } from 'zod'
import { Comparison } from '../../core/api/compare.ts'
import { UsageError } from '../../core/errors.ts'
import { formatSpan } from '../../core/time.ts'
import { safeJson, visibleFileName, visibleLine, visibleText } from '../../core/words/visible-text.ts'
import { listRuns, type RunRecord, readRunRecord, refuseStray } from '../../store/run/run-folder.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { result } from '../output.ts'
import { alignColumns, formatDuration } from '../show/format.ts'
import type { Terminal } from '../terminal.ts'

const ls: CommandRun = async call => {
  const runs = await listRuns(await call.home())
  const rows = runs.map(run => [run.id, run.state, visibleLine(run.name)])
  result(call, { runs }, rows.length === 0 ? ['There are no runs yet.'] : alignColumns(rows))
  return 0
}

const show: CommandRun = async call => {
  const run = await readRunRecord(await call.home(), await findRunName(call, call.argument()))
  result(call, { run }, [
    `${run.id}: ${run.state}`,
    visibleLine(run.name),
    `started ${visibleLine(run.started)}, ${run.trace.length} events, in ${visibleFileName(run.folder)}`,
    ...(run.summary === undefined ? [] : ['', ...summaryLines(run, call.terminal)]),
  ])
  return 0
}

// A run folder may be a stranger's: what is not as we write it is shown as it stands.
const AskSummary = z.looseObject({
  answer: z.looseObject({ text: z.string(), confidence: z.number(), abstained: z.boolean() }),
  usage: z.looseObject({ calls: z.number(), inputTokens: z.number(), outputTokens: z.number(), seconds: z.number() }),
})
const ToolEnd = z.looseObject({
  at: z.number(),
  type: z.literal('tool-end'),
  step: z.looseObject({ tool: z.string(), outcome: z.string(), evidence: z.array(z.unknown()), input: z.unknown() }),
})

// A question to its answer, as a person reads it; all of it is in --json.
function summaryLines({ summary, trace }: RunRecord, { bold, dim }: Terminal): string[] {
  const parsed = AskSummary.safeParse(summary)
  if (!parsed.success) return [safeJson(summary, 2)]
  const { answer, usage } = parsed.data
  const steps = trace.flatMap(event => ToolEnd.safeParse(event).data ?? [])
  const rows = steps.map(({ at, step }) => [
    `  ${formatDuration(at)}`,
    visibleLine(step.tool),
    step.outcome === 'found' ? `${step.evidence.length} rows` : visibleLine(step.outcome),
    visibleLine(safeJson(step.input)).slice(0, 100),
  ])
  return [
    ...(rows.length > 0 ? ['Steps', ...alignColumns(rows), ''] : []),
    bold(visibleText(answer.text)),
    '',
    dim(answer.abstained ? 'Not answered' : `Confidence: ${answer.confidence.toFixed(2)}`),
    dim(
      `${usage.calls} model calls, ${(usage.inputTokens + usage.outputTokens).toLocaleString('en-US')} tokens, ${formatDuration(usage.seconds)}. All of it: --json`,
    ),
  ]
}

const compare: CommandRun = async call => {
  const { compareRecordedRuns } = await import('../../runtime/runs/compare-runs.ts')
  const [a, b] = [await findRunName(call, call.argument(0)), await findRunName(call, call.argument(1))]
  const comparison = await compareRecordedRuns(await call.home(), a, b)
  result(call, comparison, () => compareLines(Comparison.parse(comparison), call.terminal))
  return 0
}

// The run of this name, or the only one whose name begins so.
export async function findRunName(call: Call, given: string): Promise<string> {
  const names = (await listRuns(await call.home())).map(run => run.id)
  const name = given.replace(/(?<![\\/])[\\/]+$/, '').replace(/^.*[\\/]/, '') // its folder will do too
  const fitting = names.includes(name) ? [name] : names.filter(one => one.startsWith(name))
  const [run, ...others] = fitting
  if (run !== undefined && others.length === 0) return run
  if (run === undefined && /^[\w.-]+$/.test(name)) await refuseStray(await call.home(), name)
  if (run === undefined) throw new UsageError(`There is no run "${given}".`, { hint: 'See "longtake runs ls".' })
  throw new UsageError(`"${given}" is the beginning of ${fitting.length} runs.`, {
    hint: `Write more of it: ${fitting.slice(0, 4).join(', ')}.`,
  })
}

export const runsCommands = { ls, show, compare }

const maxCell = 56 // characters of a step

type Line = Comparison['steps'][number]['a']

// Two runs side by side as a person reads them, the first difference marked.
function compareLines(found: Comparison, { bold, dim }: Pick<Terminal, 'bold' | 'dim'>): string[] {
  const { a, b, same, settings, steps, divergence, cited } = found
  const rows = steps.map((pair, at) => [
    pair.same ? '=' : '≠',
    cell(pair.a),
    cell(pair.b),
    divergence?.at === at ? '<- first divergence' : '',
  ])
  return [
    ...alignColumns([
      ['A', a.id, visibleLine(a.name)],
      ['B', b.id, visibleLine(b.name)],
    ]),
    dim(`same question: ${word(same.question)}, same video: ${word(same.video)}, same index: ${word(same.index)}`),
    ...settings.map(one => `${one.setting}: A ${value(one.a)}, B ${value(one.b)}`),
    '',
    ...alignColumns([['', 'A', 'B', ''], ...rows]),
    '',
    bold(divergenceLine(divergence)),
    `Answer A: ${visibleText(a.answer?.text ?? 'none')}`,
    `Answer B: ${visibleText(b.answer?.text ?? 'none')}`,
    `Cited by both ${cited.both.length}, only by A ${cited.onlyA.length}, only by B ${cited.onlyB.length}`,
    ...cited.onlyA.map(row => dim(`  A ${rowLine(row)}`)),
    ...cited.onlyB.map(row => dim(`  B ${rowLine(row)}`)),
  ]
}

function divergenceLine(divergence: Comparison['divergence']): string {
  if (!divergence) return 'No divergence: both went alike.'
  const { kind, ended, a, b } = divergence
  const divergenceText = `First divergence at step ${(a ?? b)?.step}: ${kind}`
  if (ended)
    return `${divergenceText}; ${ended.toUpperCase()} has no step there, ${ended === 'a' ? 'B' : 'A'} has ${cell(a ?? b)}.`
  return `${divergenceText}; A ${cell(a)}, B ${cell(b)}.`
}

function cell(line: Line): string {
  if (!line) return ''
  const { node, tool, input, outcome, evidence } = line
  if (tool === undefined) return node
  const outcomeText = outcome === 'found' ? `found ${evidence.length}` : outcome
  return `${cut(visibleLine(`${tool} ${JSON.stringify(input) ?? ''}`))} ${outcomeText}`
}

function cut(text: string): string {
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text
}

function word(same: boolean | undefined): string {
  return same === undefined ? 'not known' : same ? 'yes' : 'no'
}

function value(given: unknown): string {
  return given === undefined ? 'not set' : visibleLine(JSON.stringify(given))
}

function rowLine({ span, track, text }: Comparison['cited']['both'][number]): string {
  return `${formatSpan(span)} ${track}: ${cut(visibleLine(text))}`
}
