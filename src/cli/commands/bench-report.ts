import { findRun, loadReport, type RunReport, reportTables, sideBySide, writtenReport } from '../../../eval/bench.ts'
import { pathOption } from '../bench/paths.ts'
import { saveFile } from '../bench/save-file.ts'
import { tableLines } from '../bench/table-lines.ts'
import { result } from '../output.ts'
import { fileName } from '../sanitise.ts'
import type { CommandRun } from '../table/types.ts'

const report: CommandRun = async call => {
  const reports: RunReport[] = []
  for (const given of call.arguments)
    reports.push(await loadReport(await findRun(given, call.world.cwd, await call.home())))
  const files: Record<string, string> = {}
  for (const form of ['html', 'csv', 'md'] as const) {
    const path = pathOption(call, `--${form}`)
    if (path === undefined) continue
    await saveFile(`--${form}`, path, await writtenReport(form, reports))
    files[form] = path
    call.remark(`Wrote ${fileName(path)}.`)
  }
  result(
    call,
    () => ({ reports: reports.map(shown), files }),
    () =>
      tableLines(
        reports.length > 1 ? [sideBySide(reports), ...reports.flatMap(reportTables)] : reportTables(reports[0]),
        call.terminal,
      ),
  )
  return 0
}
export default report

// Every sample with its grades; the whole lines are in the run's samples.jsonl.
function shown({ lines, published: _, ...rest }: RunReport): object {
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
