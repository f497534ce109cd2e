import { basename, resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { result } from '../../src/cli/output.ts'
import { saveFile, saveReports } from '../../src/cli/save-file.ts'
import { alignColumns } from '../../src/cli/show/format.ts'
import { version } from '../../src/cli/version.ts'
import { UsageError } from '../../src/core/errors.ts'
import { visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import { judgeReplies } from '../agree/judge-replies.ts'
import { writeJsonLines } from '../data/lines.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { aimTable } from '../report/aim-table.ts'
import type { RunDifferences } from '../report/compare-runs.ts'
import { type ExportRun, exportRun } from '../report/export/export-run.ts'
import { buildFigure, paperFigures } from '../report/figures/build.ts'
import { figureTables } from '../report/figures/rows.ts'
import { selectBest } from '../report/papers/best-of.ts'
import { filledPaperTables, reviewedSet } from '../report/papers/filled-table.ts'
import { publishedTablesOfAll } from '../report/papers/paper-tables.ts'
import { loadComparison, loadReport } from '../report/reports.ts'
import type { RunReport } from '../report/run-report.ts'
import { replyCoverage, scoredTables } from '../report/scored-tables.ts'
import { buildReportTables } from '../report/tables.ts'
import { writtenFigure, writtenReport, writtenTables } from '../report/written.ts'
import { findRunFolder } from '../runner/files/run-files.ts'
import { repliesIn, type ScoreRequest, scoreReplies } from '../runner/score-replies.ts'
import { readMapOption } from './bench-request.ts'
import { formatScores, tableLines } from './table-lines.ts'

const score: CommandRun = async call => {
  const file = call.requiredPath('--replies', 'Name a file of JSON lines {"id", "replies", "judge"}.')
  const benchmark = call.argument()
  const where = { data: call.path('--data'), split: call.text('--split'), map: await readMapOption(call) }
  const judged = await judgedLines(call, where, file)
  const replies = judged ? writeJsonLines(judged) : repliesIn(benchmark, file, where)
  const scored = await scoreReplies({ ...where, benchmark, replies })
  const chosenScoring = call.text('--scoring') as Scoring | undefined
  const first = await scored.score(chosenScoring ?? 'strict')
  const second = chosenScoring === undefined && !call.json ? [await scored.score('official')] : []
  const byWords = call.text('--judge') === 'words'
  const { judgedMetrics = [] } = scored.benchmark.paper ?? {}
  const coverage = await replyCoverage(scored)
  const tables = await scoredTables(scored, second[0] ?? first, { name: basename(file), byWords, coverage })
  const notes = [...scored.faults.map(fault => `Data: ${fault}`), ...first.notes]
  const document = { ...first, notes, ...(coverage && { coverage }) }
  const titleOf = (metric: string) => (byWords && judgedMetrics.includes(metric) ? `${metric} (words)` : metric)
  result(call, document, [
    ...formatScores([first, ...second], titleOf, judgedMetrics),
    '',
    ...notes.flatMap(note => [visibleLine(note), '']),
    ...tableLines(tables, call.terminal),
    ...excludedLines(first, call),
  ])
  return 0
}

// The replies with another judge's verdicts, where one is asked for.
async function judgedLines(
  call: Call,
  { data, ...which }: Pick<ScoreRequest, 'data' | 'split' | 'map'>,
  replies: string,
): Promise<string[] | undefined> {
  const judge = call.text('--judge')
  const out = call.path('--out')
  if (judge === undefined && out !== undefined)
    throw new UsageError('--out keeps the lines of a new judge, so it needs --judge.', { hint: 'Leave it out.' })
  if (judge !== 'model' && judge !== 'words') return undefined
  if (data === undefined) throw new UsageError('--judge needs --data: a judge sees the question and the right answer.')
  const { lines, failed } = await judgeReplies(
    { benchmark: call.argument(), data, ...which, replies, ...judging(call, judge) },
    { ...(await call.host()), config: await call.settings(), version: version() },
  )
  call.terminal.draw([])
  if (failed > 0) call.remark(`${failed} answers could not be judged.`)
  if (out !== undefined) await saveFile('--out', out, lines.map(line => `${line}\n`).join(''))
  return lines
}

function judging(call: Call, judge: 'model' | 'words') {
  const onJudged = (done: number, total: number) => call.terminal.draw([`judged ${done} of ${total}`])
  return { judge, videos: call.path('--videos'), wording: call.path('--wording'), onJudged }
}

function excludedLines({ excluded, scoring }: Scores, call: Call): string[] {
  if (excluded.length === 0) return []
  const first = excluded.slice(0, 10).map(({ id, reason }) => `  ${visibleLine(id)}: ${visibleLine(reason)}`)
  const rest = excluded.length > 10 ? [`  and ${excluded.length - 10} more (--json lists them all)`] : []
  const what =
    scoring === 'official' ? 'What the released scorer leaves out or does with:' : 'Counted as wrong, or noted:'
  return ['', what, ...first, ...rest].map(call.terminal.dim)
}

const report: CommandRun = async call => {
  const ids = call.list('--table')
  const { reports, sets } = await shownIn(call, ids)
  const figure = call.text('--figure')
  if (figure === undefined && call.text('--svg') !== undefined)
    throw new UsageError('--svg is of a figure, so it needs --figure ID.', {
      hint: 'bench report --figures lists them.',
    })
  if (call.has('--tables')) return listTables(call)
  if (call.has('--figures')) return listFigures(call)
  if (figure !== undefined) return drawn(call, figure, reports)
  if (ids.length > 0) return published(call, ids, reports, sets)
  if (reports.length === 0)
    throw new UsageError('bench report needs a run.', { hint: 'Name one, or a published table with --table ID.' })
  const files = await saveReports(call, ['html', 'csv', 'md', 'tex'], form => writtenReport(form, reports))
  result(
    call,
    () => ({ reports: reports.map(reportDocument), files }),
    () => tableLines(buildReportTables(reports), call.terminal),
  )
  return 0
}

// The runs, or of those that differ in one setting the best; and made sets, for tables of their review.
async function shownIn(call: Call, ids: readonly string[]) {
  const reports: RunReport[] = []
  const sets: NonNullable<Awaited<ReturnType<typeof reviewedSet>>>[] = []
  for (const argument of call.arguments) {
    const set = await reviewedSet(resolve(call.world.cwd, argument), ids)
    if (set) sets.push(set)
    else reports.push(await loadReport(await findFolder(call, argument)))
  }
  const setting = call.text('--best-of')
  return { reports: setting === undefined ? reports : await selectBest(reports, setting), sets }
}

async function listTables(call: Call): Promise<number> {
  const tables = (await publishedTablesOfAll()).map(({ id, benchmark, split, source, rows }) => ({
    id,
    benchmark,
    split,
    source,
    models: rows.length,
  }))
  result(
    call,
    { tables },
    alignColumns(tables.map(({ id, source, split, models }) => [id, `${models} models`, split, source])),
  )
  return 0
}

async function published(
  call: Call,
  ids: readonly string[],
  reports: readonly RunReport[],
  sets: Parameters<typeof filledPaperTables>[2],
): Promise<number> {
  if (reports.length === 0 && call.text('--html') !== undefined)
    throw new UsageError('--html is the page of a run, and no run is named.', {
      hint: 'Name one, or write the table with --csv, --md or --tex.',
    })
  const tables = await filledPaperTables(ids, reports, sets)
  const files = await saveReports(call, ['csv', 'md', 'tex', 'html'], async form =>
    form === 'html' ? writtenReport(form, reports) : writtenTables(form, tables),
  )
  result(call, { tables, files }, tableLines(tables, call.terminal))
  return 0
}

async function listFigures(call: Call): Promise<number> {
  const figures = await paperFigures()
  result(call, { figures }, alignColumns(figures.map(({ id, title, source }) => [id, title, source])))
  return 0
}

async function drawn(call: Call, id: string, reports: readonly RunReport[]): Promise<number> {
  const other = ['--html', '--md', '--table'].find(flag => call.text(flag) !== undefined || call.list(flag).length > 0)
  if (other)
    throw new UsageError(`A figure has no ${other}.`, {
      hint: 'It is written with --svg, --csv or --tex; the page of a run (--html, without --figure) holds its figures.',
    })
  const figure = await buildFigure(id, reports)
  const tables = figureTables(figure)
  const files = await saveReports(call, ['csv', 'svg', 'tex'], async form => writtenFigure(form, figure))
  result(call, { figure, files }, tableLines(tables, call.terminal))
  return 0
}

function findFolder(call: Call, given: string): Promise<string> {
  return call.home().then(home => findRunFolder(given, call.world.cwd, home))
}

// Every sample with its grades; the whole lines are in the run's samples.jsonl.
function reportDocument({ lines, published: _, ...rest }: RunReport): object {
  const samples = lines.map(({ id, video, groups, grades, error, asks }) => ({
    id,
    video,
    groups,
    grades,
    error,
    confidence: asks[0]?.answer?.confidence,
    seconds: asks.reduce((sum, ask) => sum + ask.seconds, 0),
  }))
  return { ...rest, samples }
}

const compare: CommandRun = async (call, commands) => {
  if (call.has('--study')) return (await import('./ablate.ts')).compare(call, commands)
  const a = await findFolder(call, call.argument(0))
  const comparison = await loadComparison(a, await findFolder(call, call.argument(1)))
  const tables = [buildTable(comparison), aimTable(comparison.aim)].filter(table => table.rows.length > 0)
  result(call, comparison, tableLines(tables, call.terminal))
  return 0
}

function buildTable({
  benchmark,
  a,
  b,
  settings,
  onlyInA,
  onlyInB,
  unseen,
  tasks,
  byWords,
  notJudged,
  judging,
}: RunDifferences): ReportTable {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`
  const probability = (p: number) => (p < 0.001 ? '< 0.001' : p.toFixed(3))
  return {
    title: `${benchmark}: ${a} (A) and ${b} (B)`,
    columns: [
      ...['task', 'n', 'A', 'B', 'B - A', '95 % interval', 'p (bootstrap)'],
      ...['only A right', 'only B right', 'p (McNemar)'],
    ],
    rows: tasks.map(({ task, n, a, b, paired, mcNemar }) => [
      ...[
        byWords.includes(task) ? `${task} (words)` : task,
        String(n),
        a.toFixed(1),
        b.toFixed(1),
        signed(paired.difference),
      ],
      ...[`${signed(paired.low)} to ${signed(paired.high)}`, probability(paired.p)],
      ...(mcNemar ? [String(mcNemar.onlyA), String(mcNemar.onlyB), probability(mcNemar.corrected)] : ['-', '-', '-']),
    ]),
    notes: [
      ...judging,
      ...notJudged.map(task => `"${task}" is not judged in one of the runs, and is left out.`),
      'Strict scores. Pairs of the same question; the bootstrap draws whole videos; McNemar is exact, corrected over the tasks (Holm).',
      ...(onlyInA + onlyInB > 0 ? [`Left out: ${onlyInA} samples that only A has, ${onlyInB} that only B has.`] : []),
      ...(unseen > 0 ? [`Left out: ${unseen} questions whose video one of the runs, or both, did not have.`] : []),
      settings.length === 0 ? 'The settings of the runs are equal.' : `They differ in: ${settings.join('; ')}.`,
    ],
  }
}

// Writes the files of the released tools, of a challenge, or the card.
const exportReleased: CommandRun = async call => {
  const out = call.requiredPath('--out', 'Name the folder for the files.')
  const folder = await findFolder(call, call.argument())
  const form = call.text('--form') as ExportRun['form']
  const files = await exportRun({ folder, out, form, model: call.text('--name'), challenge: call.path('--challenge') })
  const more = files.length > 8 ? [`and ${files.length - 8} more`] : []
  result(call, { run: folder, out, files }, [
    ...files.slice(0, 8).map(visibleFileName),
    ...more,
    `Written to ${visibleFileName(out)}.`,
  ])
  return 0
}

export const benchResultsCommands = { score, report, compare, export: exportReleased }
