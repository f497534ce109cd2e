import { formatTime, mergeSpans, roundTime, type Span } from '../../src/core/time.ts'
import type { Coverage, TrackCoverage, Video } from '../../src/core/video.ts'
import type { PassReport } from '../../src/media/decode-pass.ts'
import { wasSkimmed } from './decode.ts'

export interface TrackOutcome {
  state: 'done' | 'reused' | 'failed' | 'skipped'
  by?: string
  items: number
  note?: string
}

const SLACK = 1 // seconds that a whole file may fall short of its declared length

// Which part of the video each track rests on. "absent" (the video has none) is not "failed" (could not look).
export function coverageOf(
  video: Video,
  report: PassReport,
  outcomes: { picture: TrackOutcome; speech: TrackOutcome; sound: TrackOutcome; text: TrackOutcome },
): Coverage {
  const skimmed = wasSkimmed(report)
  const last = skimmed ? video.duration : (report.picture?.last ?? 0)
  const seen = video.picture && report.picture ? spanUpTo(report.picture.first, last, video) : undefined
  const heard = video.sound && report.audio ? spanUpTo(0, report.audio.seconds, video) : undefined
  return {
    duration: video.duration,
    picture: track(outcomes.picture, video.picture !== undefined, seen, video),
    text: track(outcomes.text, video.picture !== undefined, seen, video),
    speech: track(
      outcomes.speech,
      video.sound !== undefined || video.subtitles.length > 0 || video.sidecars.length > 0,
      heard ?? whole(video),
      video,
    ),
    sound: track(outcomes.sound, video.sound !== undefined, heard, video),
    ...(skimmed && video.picture ? { picturesFrom: 'keyframes' as const } : {}),
    notes: [
      ...new Set([
        ...video.notes,
        ...report.notes,
        ...(skimmed ? [quickNote] : []),
        ...(report.errors > 0 ? [`The decoder complained ${report.errors} times; some frames may be damaged.`] : []),
      ]),
    ],
  }
}

const quickNote =
  'Made at level "quick": of the picture only the keyframes were looked at. What is shown between them is in no search; only a tool that looks at a span or reads its text may see it. At index.level=balanced all frames are looked at.'

// True where a part of the video could not be read or a track could not be made.
export function isPartial(coverage: Coverage): boolean {
  return [coverage.picture, coverage.speech, coverage.sound, coverage.text].some(
    one => one.state === 'partial' || one.state === 'failed',
  )
}

function track(outcome: TrackOutcome, present: boolean, seen: Span | undefined, video: Video): TrackCoverage {
  const base = { by: outcome.by, items: outcome.items }
  if (!present) return { ...base, items: 0, state: 'absent', spans: [] }
  if (outcome.state === 'failed')
    return { ...base, state: 'failed', spans: [], note: outcome.note ?? 'could not be made' }
  if (outcome.state === 'skipped') return { ...base, state: 'off', spans: [], note: outcome.note ?? 'switched off' }
  if (!seen) return { ...base, state: 'failed', spans: [], note: 'nothing could be decoded' }
  const spans = mergeSpans([seen])
  if (seen.end >= video.duration - SLACK) return { ...base, state: 'indexed', spans, note: outcome.note }
  const missing = `${formatTime(seen.end)}-${formatTime(video.duration)} could not be decoded`
  return { ...base, state: 'partial', spans, note: [missing, outcome.note].filter(Boolean).join('; ') }
}

function spanUpTo(first: number, last: number, video: Video): Span {
  const frame = 1 / (video.picture?.frameRate || 25)
  const end = Math.min(video.duration, last + frame)
  return {
    start: roundTime(Math.max(0, first)),
    end: roundTime(video.duration - end < frame * 2 ? video.duration : end),
  }
}

function whole(video: Video): Span {
  return { start: 0, end: video.duration }
}
