import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorText, StorageError, UsageError } from '../../core/errors.ts'
import { type Evidence, Track } from '../../core/evidence.ts'
import type { ShowReport } from '../../core/runtime.ts'
import { writeDurably } from '../../store/durable.ts'
import type { Call } from '../call.ts'
import { shortRow, shortVideo } from '../json-output.ts'
import { watching } from '../output.ts'
import { fileName, safeJson } from '../sanitise.ts'
import { srt, vtt } from '../show/subtitle-formats.ts'
import { chapters, csv } from '../show/table-formats.ts'
import { exportFormats } from '../table/options.ts'
import type { CommandRun } from '../table/types.ts'

type Format = (typeof exportFormats)[number]

const run: CommandRun = async call => {
  const format = call.text('--format') as Format | undefined
  const out = call.text('--out')
  if (!format) throw new UsageError('--format is missing.', { hint: `Choose one of: ${exportFormats.join(', ')}.` })
  if (call.json && out === undefined)
    throw new UsageError('--json describes the file that was written, so it needs --out.', {
      hint: 'For the rows themselves: --format json.',
    })
  const runtime = await call.runtime()
  const report = await watching(call, watch => runtime.show(call.arguments[0], { watch, signal: call.signal }))
  const content = write(format, report, chosenRows(report, format, call))
  if (out === undefined) {
    call.terminal.out(content)
    return 0
  }
  const file = await saveAs(resolve(call.world.cwd, out), content, report.video.path)
  if (call.json) call.document({ file, format, bytes: Buffer.byteLength(content) })
  else call.remark(`Wrote ${fileName(file)}.`)
  return 0
}
export default run

function write(format: Format, report: ShowReport, rows: Evidence[]): string {
  switch (format) {
    case 'srt':
      return srt(rows)
    case 'vtt':
      return vtt(rows)
    case 'csv':
      return csv(rows)
    case 'chapters':
      return chapters(report.overview)
    case 'json':
      return `${safeJson({ schemaVersion: 1, video: shortVideo(report.video), coverage: report.coverage, evidence: rows.map(shortRow) }, 2)}\n`
  }
}

// Subtitles are what is said unless other tracks are named.
function chosenRows(report: ShowReport, format: Format, call: Call): Evidence[] {
  const named = call.list('--track').map(name => Track.parse(name))
  const subtitles = format === 'srt' || format === 'vtt'
  const tracks = named.length > 0 ? named : subtitles ? (['speech'] as const) : Track.options
  return report.evidence.filter(row => (tracks as readonly string[]).includes(row.track))
}

// Never the video itself, and never a device: the file is replaced as a whole.
async function saveAs(path: string, content: string, video: string): Promise<string> {
  const file = await realpath(path).catch(() => path)
  const there = await stat(file).catch(() => undefined)
  if (file === (await realpath(video).catch(() => video)))
    throw new UsageError(`--out ${path} is the video itself.`, { hint: 'Name another file.' })
  if (there && !there.isFile())
    throw new UsageError(`--out ${path} is not a regular file.`, {
      hint: 'Name a file, or leave --out away to write to stdout.',
    })
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (!folder?.isDirectory())
    throw new UsageError(`The folder of --out ${path} does not exist.`, {
      hint: `Make it first: mkdir -p ${dirname(path)}`,
    })
  await writeDurably(file, content, 'umask').catch(error => {
    throw new StorageError(`Could not write ${file}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Make room or choose another place.',
    })
  })
  return file
}
