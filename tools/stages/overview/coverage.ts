import { z } from 'zod'
import type { Evidence } from '../../../src/core/evidence.ts'
import type { StageOutcome, StageReader } from '../../../src/core/stage.ts'
import {
  clampSpan,
  formatTime,
  gapsBetween,
  mergeSpans,
  roundTime,
  type Span,
  spanLength,
} from '../../../src/core/time.ts'
import {
  type Coverage,
  isIndexed,
  type Shot,
  type Still,
  type TrackCoverage,
  type Video,
} from '../../../src/core/video.ts'
import type { PassReport } from '../../../src/media/pass/decode-pass.ts'
import type { SubtitleTrack } from '../../../src/media/subtitles/parse-subtitles.ts'
import { maxStillGap } from '../decode/sampling.ts'
import { wasSkimmed } from '../results.ts'

interface TrackOutcome {
  state: 'done' | 'reused' | 'failed' | 'skipped'
  by?: string
  items: number
  note?: string
}

const SLACK = 1 // seconds that a whole file may fall short of its declared length
const GAPS_NAMED = 3

// Which part of the video each track rests on: what was decoded of its stream. "absent" (the video has none) is not "failed" (could not look).
// `read`: what the stage of subtitles found. A subtitle file that it was not asked to look at does not count: no key knows of it.
export function computeCoverage(
  video: Video,
  report: PassReport,
  outcomes: { picture: TrackOutcome; speech: TrackOutcome; sound: TrackOutcome; text: TrackOutcome },
  read?: { cuesFrom?: 'sidecar' | 'stream' },
  notUnderstood: Span[] = [],
  unkept: Span[] = [],
): Coverage {
  const skimmed = wasSkimmed(report)
  const seen = video.picture && computeSeenSpans(video, report)
  const heard = video.sound && computeHeardSpans(video, report)
  const cues = read?.cuesFrom === 'sidecar' ? whole(video) : computeReadSpans(video, seen, heard)
  const spoken = video.sound !== undefined || video.subtitles.length > 0 || read !== undefined
  return {
    duration: video.duration,
    picture: without(
      track(outcomes.picture, video.picture !== undefined, seen, video),
      { unkept },
      'no frame was kept of',
    ),
    text: track(outcomes.text, video.picture !== undefined, seen, video),
    speech: without(
      track(outcomes.speech, spoken, read?.cuesFrom ? cues : (heard ?? whole(video)), video),
      { notUnderstood },
      'not understood:',
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

// What was decoded of a stream, and what of its part of the video was not.
interface Decoded {
  spans: Span[]
  missing: Span[]
}

function track(outcome: TrackOutcome, present: boolean, decoded: Decoded | undefined, video: Video): TrackCoverage {
  const base = { by: outcome.by, items: outcome.items }
  if (!present) return { ...base, items: 0, state: 'absent', spans: [] }
  if (outcome.state === 'failed')
    return { ...base, state: 'failed', spans: [], note: outcome.note ?? 'could not be made' }
  if (outcome.state === 'skipped') return { ...base, state: 'off', spans: [], note: outcome.note ?? 'switched off' }
  if (!decoded) return { ...base, state: 'failed', spans: [], note: 'nothing could be decoded' }
  const { spans } = decoded
  const missing = decoded.missing.filter(gap => spanLength(gap) > SLACK || gap.end < video.duration)
  if (missing.length === 0) return { ...base, state: 'indexed', spans, note: outcome.note }
  const note = `${nameSpans(missing)} could not be decoded`
  return { ...base, state: 'partial', spans, note: [note, outcome.note].filter(Boolean).join('; ') }
}

function nameSpans(spans: readonly Span[]): string {
  const named = spans.slice(0, GAPS_NAMED).map(({ start, end }) => `${formatTime(start)}-${formatTime(end)}`)
  return `${named.join(', ')}${spans.length > GAPS_NAMED ? ` and ${spans.length - GAPS_NAMED} more parts` : ''}`
}

// What was decoded and came to nothing does not count as indexed: voices without words, moving pictures without a still.
function without(
  track: TrackCoverage,
  lost: Pick<TrackCoverage, 'notUnderstood' | 'unkept'>,
  what: string,
): TrackCoverage {
  const gaps = Object.values(lost).flat()
  if (gaps.length === 0 || !isIndexed(track)) return track
  const spans = track.spans.flatMap(span => gapsBetween(gaps, span))
  return { ...track, spans, ...lost, note: [track.note, `${what} ${nameSpans(gaps)}`].filter(Boolean).join('; ') }
}

function computeSeenSpans(video: Video, report: PassReport): Decoded | undefined {
  const { picture } = report
  if (!picture || !video.picture) return undefined
  const end = wasSkimmed(report) || picture.lasts ? video.duration : computeEnd(picture.last, video)
  const due = Math.max(0, video.picture.start - video.start)
  const first = Math.max(0, picture.first)
  const late = first - due > SLACK ? [{ start: due, end: first }] : []
  return decodedWithout([...late, ...(picture.gaps ?? [])], { start: roundTime(first), end }, video)
}

function computeHeardSpans(video: Video, { audio }: PassReport): Decoded | undefined {
  if (!audio || !video.sound) return undefined
  return decodedWithout(soundHoles(video, audio.gaps), { start: 0, end: computeEnd(audio.seconds, video) }, video)
}

// Of the gaps in the sound those that are holes: before the first sound that the file declares there is nothing to hear.
export function soundHoles({ sound, start }: Video, gaps: readonly Span[] = []): Span[] {
  const due = (sound?.start ?? 0) - start
  return gaps.filter(gap => gap.start > 0 || gap.end > due + SLACK)
}

// Cues in the file are lost where everything else is.
function computeReadSpans(video: Video, seen: Decoded | undefined, heard: Decoded | undefined): Decoded {
  const all = { start: 0, end: video.duration }
  const decoded = [...(seen?.spans ?? []), ...(heard?.spans ?? [])]
  return seen || heard ? decodedWithout(gapsBetween(decoded, all), all, video) : whole(video)
}

function decodedWithout(gaps: readonly Span[], of: Span, video: Video): Decoded {
  const all = { start: 0, end: video.duration }
  const missing = mergeSpans(gaps.map(gap => clampSpan(gap, video.duration))).filter(gap => spanLength(gap) > 0)
  const spans = gapsBetween([...missing, ...gapsBetween([of], all)], all)
  const rest = of.end < video.duration ? [{ start: of.end, end: video.duration }] : []
  return { spans, missing: mergeSpans([...missing, ...rest], 0.5) }
}

function computeEnd(last: number, video: Video): number {
  const frame = 1 / (video.picture?.frameRate || 25)
  const end = Math.min(video.duration, last + frame)
  return roundTime(video.duration - end < frame * 2 ? video.duration : end)
}

function whole(video: Video): Decoded {
  return { spans: [{ start: 0, end: video.duration }], missing: [] }
}

// Speech that lacks a subtitle track is not whole, whatever else was heard.
export function withSubtitleProblems(
  coverage: Coverage,
  tracks: readonly Pick<SubtitleTrack, 'source' | 'name' | 'problem'>[],
): Coverage {
  const problems = tracks.flatMap(({ source, name, problem }) =>
    problem ? [`the subtitle ${source === 'sidecar' ? 'file' : 'track'} ${name} was not read: ${problem}`] : [],
  )
  if (problems.length === 0) return coverage
  const { speech } = coverage
  const state = isIndexed(speech) ? 'partial' : 'failed'
  return { ...coverage, speech: { ...speech, state, note: [...problems, speech.note].filter(Boolean).join('; ') } }
}

const Counted = z.object({ bad: z.number() })

// Which part of the video has captions; undefined if none were wanted. Clips that the budget left out are a choice, not a fault.
export async function captionCoverage(
  { state, by, note }: StageOutcome & { by?: string },
  result: StageReader | undefined,
  rows: readonly Evidence[],
): Promise<TrackCoverage | undefined> {
  if (state === 'skipped') return undefined
  const captions = rows.filter(row => row.track === 'caption')
  const track = { by, items: captions.length, spans: mergeSpans(captions.map(row => row.span)), ...(note && { note }) }
  if (!result) return { ...track, state: 'failed', note: note ?? 'could not be made' }
  const { bad } = await result.json('usage.json', Counted)
  return { ...track, state: bad > 0 ? 'partial' : 'indexed' }
}

const noticeable = 1 // seconds; cuts that come faster than stills are taken are not named one by one

// What was decoded but is on no still: a still stands for the picture around it up to half of the distance that stills may have.
export function unkeptSpans(
  shots: readonly Shot[],
  stills: readonly Pick<Still, 'time'>[],
  { picture, level = 'balanced' }: PassReport,
): Span[] {
  if (!picture) return []
  const frame = (picture.last - picture.first) / Math.max(1, picture.frames - 1)
  const reach = Math.max(maxStillGap(level), level === 'quick' ? 0 : 2 * frame) / 2
  const open = shots.flatMap(shot => {
    const times = stills.map(still => still.time).filter(time => time >= shot.start && time < shot.end)
    if (times.length === 0) return [{ start: shot.start, end: shot.end }]
    const around = times.map(time => ({ start: time - reach, end: time + reach + 1e-3 }))
    const edges = [
      { start: shot.start, end: shot.start + reach },
      { start: shot.end - reach, end: shot.end },
    ]
    return gapsBetween([...around, ...edges], shot)
  })
  const still = [...(picture.still ?? []), ...(picture.lasts ? [{ start: picture.last, end: Infinity }] : [])]
  return mergeSpans(open.flatMap(span => gapsBetween(still, span))).filter(span => spanLength(span) > noticeable)
}
