import { UsageError } from '../../core/errors.ts'
import { type Evidence, Track } from '../../core/evidence.ts'
import { personLine, type Recurring } from '../../core/people.ts'
import type { ShowReport } from '../../core/runtime.ts'
import { formatSpan, formatTime } from '../../core/time.ts'
import type { Overview, OverviewPart, OverviewSentence } from '../../core/video.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { chapters, rowsToCsv, srt, vtt } from '../../core/words/export-formats.ts'
import { safeJson, visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { shortRow, shortVideo, showDocument } from '../../runtime/documents.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { namedVideo } from '../named-videos.ts'
import { exportFormats } from '../options.ts'
import { result, watching } from '../output.ts'
import { saveFile } from '../save-file.ts'
import { coverageLines, evidenceLine } from '../show/lines.ts'
import type { Terminal } from '../terminal.ts'

export const show: CommandRun = async call => {
  const runtime = await call.runtime()
  const video = await namedVideo(call, call.argument())
  const whole = await watching(call, watch => runtime.videos.show(video, { watch, signal: call.signal }))
  const tracks = new Set(call.list('--track').map(name => Track.parse(name)))
  const report = tracks.size === 0 ? whole : { ...whole, evidence: whole.evidence.filter(row => tracks.has(row.track)) }
  result(
    call,
    () => showDocument(report, runtime.profile.name),
    () => (tracks.size === 0 ? everything(report, call.terminal) : rows(report.evidence)),
  )
  return 0
}

function everything(report: ShowReport, { bold }: Terminal): string[] {
  const { video, overview, people, shots, coverage, evidence } = report
  const of = (track: Track) => evidence.filter(row => row.track === track)
  const section = (title: string, lines: string[]) => (lines.length > 0 ? ['', bold(title), ...lines] : [])
  return [
    bold(visibleFileName(video.name)),
    `${formatTime(video.duration)}, ${streams(report)}, id ${video.id}`,
    ...section('Overview', toldLines(overview.whole)),
    ...section('Chapters', chapterLines(overview.chapters)),
    ...section('Left open', toldLines(overview.threads)),
    ...section('Speakers', speakerLines(overview.speaking)),
    ...section(
      'People',
      (people?.people ?? [])
        .filter(({ names }) => names.length > 0)
        .map(personLine)
        .map(visibleLine),
    ),
    ...section('Recurring things', (people?.things ?? []).map(thingLine)),
    ...section(
      `Shots (${shots.length})`,
      shots.map(shot => `${formatSpan(shot)} opens with ${shot.opens}`),
    ),
    ...section('Transcript', rows(of('speech'))),
    ...section('Text on screen', rows(of('text'))),
    ...section('Sounds', rows(of('sound'))),
    ...section('Picture', rows(of('picture'))),
    ...section('Coverage', coverageLines(coverage)),
  ]
}

function speakerLines(speaking: Overview['speaking'] = []): string[] {
  return speaking.map(
    ({ speaker, seconds, lines }) =>
      `${visibleLine(speaker)} speaks ${formatTime(seconds)} in ${countPhrase(lines, 'line')}`,
  )
}

function thingLine({ text, spans }: Recurring): string {
  return visibleLine(`${text} ${spans.map(formatSpan).join(' ')}`)
}

function rows(evidence: readonly Evidence[]): string[] {
  return evidence.map(row => evidenceLine(row, Number.POSITIVE_INFINITY))
}

function streams({ video }: ShowReport): string {
  const { picture, sound } = video
  const parts = [picture && `${picture.width}x${picture.height} ${picture.codec}`, sound && `${sound.codec} sound`]
  return parts
    .filter(Boolean)
    .map(part => visibleLine(String(part)))
    .join(', ')
}

type Format = (typeof exportFormats)[number]

// Writes what is known of a video in another format.
export const exportTracks: CommandRun = async (call, commands) => {
  if (call.text('--as') === 'folder') return (await import('./export-folder.ts')).exportFolder(call, commands)
  const format = call.required('--format', `Choose one of: ${exportFormats.join(', ')}.`) as Format
  const out = call.path('--out')
  if (call.json && out === undefined)
    throw new UsageError('--json describes the file that was written, so it needs --out.', {
      hint: 'For the rows themselves: --format json.',
    })
  const runtime = await call.runtime()
  const video = await namedVideo(call, call.argument())
  const report = await watching(call, watch => runtime.videos.show(video, { watch, signal: call.signal }))
  const content = write(format, report, chosenRows(report, format, call))
  if (out === undefined) {
    call.terminal.out(content)
    return 0
  }
  const file = await saveFile('--out', out, content, report.video.path)
  if (call.json) call.document({ file, format, bytes: Buffer.byteLength(content) })
  else call.remark(`Wrote ${visibleFileName(file)}.`)
  return 0
}

function write(format: Format, report: ShowReport, rows: Evidence[]): string {
  switch (format) {
    case 'srt':
      return srt(rows)
    case 'vtt':
      return vtt(rows)
    case 'csv':
      return rowsToCsv(rows)
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

// Titles, and of a written overview the sentences of each chapter with the rows that they rest on.
function chapterLines(chapters: readonly OverviewPart[]): string[] {
  return chapters.flatMap(({ span, title, sentences }) => [
    `${formatSpan(span)} ${visibleLine(title)}`,
    ...toldLines(sentences).map(line => `  ${line}`),
  ])
}

function toldLines(told: readonly OverviewSentence[] = []): string[] {
  return told.map(({ text, cites }) => `${visibleLine(text)} [${cites.join(' ')}]`)
}
