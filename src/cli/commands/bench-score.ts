import { judgeReplies, linesOf, repliesIn, type Scores, type Scoring, scoreReplies } from '../../../eval/bench.ts'
import { UsageError } from '../../core/errors.ts'
import { pathOption } from '../bench/paths.ts'
import { saveFile } from '../bench/save-file.ts'
import type { Call } from '../call.ts'
import { result } from '../output.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/format.ts'
import type { CommandRun } from '../table/types.ts'
import { version } from '../version.ts'

const score: CommandRun = async call => {
  const file = pathOption(call, '--replies')
  if (file === undefined)
    throw new UsageError('--replies is missing.', { hint: 'Name a file of JSON lines {"id", "replies", "judge"}.' })
  const [benchmark] = call.arguments
  const data = pathOption(call, '--data')
  const judged = await judgedLines(call, data, file)
  const replies = () => (judged ? linesOf(judged) : repliesIn(benchmark, file))
  const scores = (scoring: Scoring) => scoreReplies({ benchmark, data, replies, scoring })
  const asked = call.text('--scoring') as Scoring | undefined
  const first = await scores(asked ?? 'strict')
  const official = asked === undefined && !call.json ? await scores('official') : undefined
  result(
    call,
    () => first,
    () => [...scoreLines(official ? [first, official] : [first]), ...excludedLines(first, call)],
  )
  return 0
}
export default score

// The replies with another judge's verdicts, where one is asked for.
async function judgedLines(call: Call, data: string | undefined, file: string): Promise<string[] | undefined> {
  const judge = call.text('--judge')
  const out = pathOption(call, '--out')
  if (judge === undefined && out !== undefined)
    throw new UsageError('--out keeps the lines of a new judge, so it needs --judge.', { hint: 'Leave it out.' })
  if (judge !== 'model' && judge !== 'words') return undefined
  if (data === undefined) throw new UsageError('--judge needs --data: a judge sees the question and the right answer.')
  const { lines, failed } = await judgeReplies(
    {
      benchmark: call.arguments[0],
      data,
      replies: file,
      judge,
      wording: pathOption(call, '--wording'),
      onJudged: (done, total) => call.terminal.draw([`judged ${done} of ${total}`]),
    },
    {
      config: await call.settings(),
      home: await call.home(),
      environment: call.world.environment,
      version: version(),
      say: line => call.remark(line),
      signal: call.signal,
    },
  )
  call.terminal.draw([])
  if (failed > 0) call.remark(`${failed} answers could not be judged.`)
  if (out !== undefined) await saveFile('--out', out, lines.map(line => `${line}\n`).join(''))
  return lines
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
