import type { Evidence, Track } from '../../../src/core/evidence.ts'
import type { ShowReport } from '../../../src/core/runtime.ts'
import { overlap, type Span } from '../../../src/core/time.ts'
import type { SourceAbout } from '../../recipes/about.ts'
import type { SourceRecord, SourceRow, SourceSegment } from '../../recipes/item.ts'
import { textRows } from '../../recipes/texts.ts'

interface Indexed extends Pick<ShowReport, 'video' | 'shots' | 'evidence'> {
  id: string
  name: string // of the file in the set
  about: SourceAbout
  script?: string // what lies beside it
  form?: 'covering' | 'as released'
}

// What is known of a video, in LongShOT's caption form and by the rows of its index; the text of people wins over what was found.
export function sourceRecord({ id, name, about, script, form, video, shots, evidence }: Indexed): SourceRecord {
  const rows = evidence.filter(row => row.track !== 'claim').map(sourceRow)
  const speech = rows.filter(row => row.track === 'speech').map(({ span, text }) => ({ ...span, text }))
  const segments = sourceSegments(speech, video.duration, form).map((segment, at) =>
    buildSegment(segment, at, rows, shots),
  )
  const { people: _, faq: __, ...meta } = about
  const texts = textRows(about, script)
  const fps = video.picture?.frameRate ?? 0
  const frames = Math.round(fps * video.duration)
  return {
    video_id: id,
    video: name,
    ...(video.sound === undefined && { mute: true }),
    segments,
    statistics: { segments: segments.length, duration: video.duration, fps, frames, rows: rows.length },
    meta,
    rows,
    ...(texts.length > 0 && { texts }),
  }
}

function sourceRow({ id, track, span, text, confidence, speaker }: Evidence): SourceRow {
  return { id, track, span, text, ...(confidence !== undefined && { confidence }), ...(speaker && { speaker }) }
}

function buildSegment(
  { start, end, text }: SpeechSegment,
  at: number,
  rows: readonly SourceRow[],
  shots: readonly Span[],
): SourceSegment {
  const span = { start, end }
  const segmentRows = rows.filter(row => overlap(row.span, span) > 0)
  const textsOf = (...tracks: Track[]) =>
    segmentRows.filter(row => tracks.includes(row.track)).map(row => row.text.trim())
  const cuts = shots.filter(shot => shot.start > start && shot.start < end).length
  const visibleTexts = textsOf('text', 'caption', 'person')
  const visual = [...visibleTexts, `${cuts} cuts`].join('; ')
  const heard = textsOf('sound').join('; ')
  const parts = [
    text && `Said: ${text}`,
    visibleTexts.length > 0 && `Shown: ${visibleTexts.join('; ')}`,
    heard && `Heard: ${heard}`,
  ]
  return {
    segment_index: at,
    temporal: { start, end, duration: end - start },
    multimodal_description: parts.filter(Boolean).join(' '),
    key_events: [...new Set(visibleTexts)].slice(0, 7),
    modalities: { speech: text, visual, audio_environment: heard },
    rows: segmentRows.map(row => row.id),
  }
}

type SpeechSegment = Span & { text: string }

const longGap = 5

// LongShOT's segments: the speech, and a silent one for each gap of five seconds or more; a shorter gap belongs to the speech after
// it. As released, short gaps at either end of the video are covered by nothing and overlaps stay; by default they are covered.
function sourceSegments(
  speech: readonly SpeechSegment[],
  duration: number,
  form: 'covering' | 'as released' = 'covering',
): SpeechSegment[] {
  const released = releasedSegments(speech, duration)
  if (form === 'as released') return released
  const [first, last] = [released.at(0), released.at(-1)]
  if (!first || !last) return released
  const reached = Math.max(...released.map(({ end }) => end))
  return released.map(segment => ({
    ...segment,
    ...(segment === first && { start: 0 }),
    ...(segment.end === reached && reached < duration && { end: duration }),
  }))
}

function releasedSegments(speech: readonly SpeechSegment[], duration: number): SpeechSegment[] {
  const segments: SpeechSegment[] = []
  let reached = 0
  for (const segment of [...speech].sort((a, b) => a.start - b.start)) {
    const gap = segment.start - reached
    if (gap >= longGap) segments.push({ start: reached, end: segment.start, text: '' })
    const start = gap > 0 && gap < longGap && segments.length > 0 ? reached : segment.start
    segments.push({ ...segment, start })
    reached = Math.max(reached, segment.end)
  }
  if (speech.length === 0 || duration - reached >= longGap) segments.push({ start: reached, end: duration, text: '' })
  return segments
}
