import { resolve } from 'node:path'
import { scoreFile } from '../../app/bench.ts'
import type { Scores, Scoring } from '../../core/benchmark.ts'
import { UsageError } from '../../core/errors.ts'
import type { Call } from '../call.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const score: CommandRun = async call => {
  const replies = pathOf(call, '--replies')
  if (replies === undefined)
    throw new UsageError('--replies is missing.', { hint: 'Name a file of JSON lines {"id", "replies", "judge"}.' })
  const scores = async (scoring: Scoring) =>
    scoreFile({ benchmark: call.arguments[0], data: pathOf(call, '--data'), replies, scoring })
  const asked = call.text('--scoring') as Scoring | undefined
  const strict = await scores(asked ?? 'strict')
  const official = asked === undefined && !call.json ? await scores('official') : undefined
  result(
    call,
    () => strict,
    () => [...scoreLines(official ? [strict, official] : [strict]), ...excludedLines(strict, call)],
  )
  return 0
}
export default score

function pathOf(call: Call, flag: string): string | undefined {
  const path = call.text(flag)
  return path === undefined ? undefined : resolve(call.world.cwd, path)
}

// A column for each way of counting; a metric that was not run is left out.
export function scoreLines(scores: readonly Scores[]): string[] {
  const [{ benchmark, n, metrics, groups }] = scores
  const names = Object.keys(metrics).filter(name => scores.some(one => one.metrics[name] !== null))
  const rows = names.map(name => [name, ...scores.map(one => shown(one.metrics[name]))])
  const inGroups = scores.length === 1 ? groupLines(groups) : []
  return [
    `${benchmark}: ${n} records`,
    '',
    ...columns([['', ...scores.map(one => one.scoring)], ...rows]),
    ...(inGroups.length > 0 ? ['', ...inGroups] : []),
  ]
}

function groupLines(groups: Scores['groups']): string[] {
  return Object.entries(groups).map(([name, values]) => `${oneLine(name)}: ${oneLine(JSON.stringify(values))}`)
}

function excludedLines({ excluded, scoring }: Scores, call: Call): string[] {
  if (excluded.length === 0) return []
  const shownFirst = excluded.slice(0, 10).map(({ id, reason }) => `  ${oneLine(id)}: ${oneLine(reason)}`)
  const rest = excluded.length > 10 ? [`  and ${excluded.length - 10} more (--json lists them all)`] : []
  const what =
    scoring === 'official' ? 'What the released scorer leaves out or does with:' : 'Counted as wrong, or noted:'
  return ['', what, ...shownFirst, ...rest].map(call.terminal.dim)
}

function shown(value: number | null): string {
  return value === null ? '-' : value.toFixed(2)
}
