import { type Evidence, Track } from '../../core/evidence.ts'
import type { ShowReport } from '../../core/runtime.ts'
import { formatSpan, formatTime } from '../../core/time.ts'
import { showDocument } from '../json-output.ts'
import { result, watching } from '../output.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { coverageLines } from '../show/coverage-lines.ts'
import { evidenceLine } from '../show/evidence-line.ts'
import type { CommandRun } from '../table/types.ts'
import type { Terminal } from '../terminal.ts'

const show: CommandRun = async call => {
  const runtime = await call.runtime()
  const whole = await watching(call, watch => runtime.show(call.arguments[0], { watch, signal: call.signal }))
  const tracks = new Set(call.list('--track').map(name => Track.parse(name)))
  const report = tracks.size === 0 ? whole : { ...whole, evidence: whole.evidence.filter(row => tracks.has(row.track)) }
  result(
    call,
    () => showDocument(report, runtime.profile.name),
    () => (tracks.size === 0 ? everything(report, call.terminal) : rows(report.evidence)),
  )
  return 0
}
export default show

function everything(report: ShowReport, { bold }: Terminal): string[] {
  const { video, overview, shots, coverage, evidence } = report
  const of = (track: Track) => evidence.filter(row => row.track === track)
  const section = (title: string, lines: string[]) => (lines.length > 0 ? ['', bold(title), ...lines] : [])
  return [
    bold(fileName(video.name)),
    `${formatTime(video.duration)}, ${streams(report)}, id ${video.id}`,
    ...section(
      'Chapters',
      overview.chapters.map(chapter => `${formatSpan(chapter.span)} ${oneLine(chapter.title)}`),
    ),
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

function rows(evidence: readonly Evidence[]): string[] {
  return evidence.map(row => evidenceLine(row, Number.POSITIVE_INFINITY))
}

function streams({ video }: ShowReport): string {
  const { picture, sound } = video
  const parts = [picture && `${picture.width}x${picture.height} ${picture.codec}`, sound && `${sound.codec} sound`]
  return parts
    .filter(Boolean)
    .map(part => oneLine(String(part)))
    .join(', ')
}
