import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { saveReports } from '../../src/cli/save-file.ts'
import { alignColumns, formatDuration } from '../../src/cli/show/format.ts'
import { version } from '../../src/cli/version.ts'
import { safeJson, visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import { ablationSchema } from '../ablate/matrix/ablation-file.ts'
import type { StudyPlan } from '../ablate/matrix/forecast-study.ts'
import { writtenStudy } from '../ablate/report/files.ts'
import { studyTables } from '../ablate/report/tables.ts'
import type { StudyResult } from '../ablate/result/result.ts'
import { compareFolders } from '../ablate/study/compare.ts'
import { openStudy, type RowRunner, type Study } from '../ablate/study/open-study.ts'
import { findRunFolder } from '../runner/files/run-files.ts'
import { localRunner } from '../runner/runner.ts'
import { ablateRequest } from './ablate-request.ts'
import { benchProgress } from './bench-progress.ts'
import { quoteArgument } from './bench-request.ts'
import { runPreflight, withResume } from './preflight.ts'
import { openRunQueue, type RunQueue } from './queue.ts'
import { tableLines } from './table-lines.ts'

export const ablate: CommandRun = async call => {
  if (call.has('--schema')) {
    call.terminal.out(`${safeJson(ablationSchema(), 2)}\n`)
    return exitCodes.ok
  }
  const request = await ablateRequest(call)
  const cluster = await openRunQueue(call, (await call.settings()).settings)
  const study = await openStudy(request, { ...(await call.host()), cwd: call.world.cwd, version: version() })
  try {
    return await carryOut(call, study, cluster)
  } finally {
    await study.close()
    await cluster.close()
  }
}

// A row that needs the annotations, or replays the base, is asked by this process.
function rowRunner(call: Call, cluster: RunQueue): RowRunner {
  return async (folder, { sent }) => {
    if (sent) return cluster.runner(folder)
    if (call.has('--queue')) call.remark('This row is asked here: it needs what only this machine has.')
    return localRunner
  }
}

async function carryOut(call: Call, study: Study, cluster: RunQueue): Promise<number> {
  call.remark(`Base: profile ${study.profile.name}: ${study.profile.why}.`)
  const checked = await runPreflight(call, {
    check: study.check,
    plan: study.plan,
    document: plan => ({ plan }),
    lines: planLines,
    hint: 'Name their folder with --videos FOLDER.',
  })
  if (typeof checked === 'number') return checked
  const files = await study.openFiles()
  const progress = await benchProgress(call, 'auto')
  call.remark(`Study: ${visibleFileName(files.folder)}`)
  try {
    const studyResult = await study.run(
      files,
      checked,
      {
        ...progress,
        onRow: (row, place, of) => call.remark(`Row ${place + 1} of ${of}: ${visibleLine(row.name)}`),
      },
      rowRunner(call, cluster),
    )
    progress.finish()
    const lines = [...studyLines(studyResult, call), '', `More: ${visibleFileName(files.folder)}/report.html`]
    result(call, { study: files.folder, ...studyResult }, lines)
    return studyResult.rows.some(row => row.failed > 0) ? exitCodes.partial : exitCodes.ok
  } catch (error) {
    progress.finish()
    const queue = call.has('--queue') ? ' --queue' : ''
    throw withResume(error, call, `longtake bench ablate --resume ${quoteArgument(files.folder)}${queue}`)
  } finally {
    files.close()
  }
}

export const compare: CommandRun = async call => {
  const home = await call.home()
  const [a = '', b = ''] = await Promise.all(call.arguments.map(given => findRunFolder(given, call.world.cwd, home)))
  const comparison = await compareFolders(a, b, call.integer('--seed') ?? 1)
  await saveReports(call, ['html', 'md', 'tex', 'csv'], async form =>
    writtenStudy(form, comparison.result, comparison.linesOf),
  )
  result(call, comparison.result, studyLines(comparison.result, call))
  return 0
}

function studyLines(study: StudyResult, { terminal }: Call): string[] {
  return tableLines(studyTables(study), terminal)
}

// What each row will make and what it takes from elsewhere.
function planLines({
  rows,
  questions,
  calls,
  tokens,
  money,
  indexSeconds,
  askSeconds,
  from,
  notes,
}: StudyPlan): string[] {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([stage, videos]) => (videos === 1 ? stage : `${stage} ${videos}x`))
      .join(', ') || '-'
  const total = (counts: Record<string, number>) => String(Object.values(counts).reduce((sum, count) => sum + count, 0))
  const table = alignColumns([
    ['row', 'stages to make', 'there', 'by rows before', 'index', 'questions', 'calls', 'calls taken over'],
    ...rows.map(row => [
      visibleLine(row.name),
      list(row.stages.make),
      total(row.stages.there),
      total(row.stages.earlier),
      row.indexSeconds === undefined ? '?' : formatDuration(row.indexSeconds),
      String(row.questions),
      row.calls === undefined ? '?' : `<= ${row.calls}`,
      row.reuse,
    ]),
  ])
  const parts = [
    `${rows.length} rows, ${questions} questions`,
    ...(calls === undefined ? [] : [`${calls} model calls at most, ${tokens} tokens`]),
    ...(money === undefined ? [] : [`money ${money.toFixed(2)} at most`]),
    ...(indexSeconds === undefined ? [] : [`about ${formatDuration(indexSeconds)} of indexing`]),
    ...(askSeconds === undefined ? [] : [`about ${formatDuration(askSeconds)} of questions`]),
  ]
  return [...table, `${parts.join('; ')}.`, `By ${from}.`, ...notes.map(visibleLine)]
}
