export interface SpeechSegment {
  start: number
  end: number
  text: string
}

const longGap = 5

// LongShOT's segments: the speech, and a silent one for each gap of five seconds or more; a shorter gap belongs to the speech after
// it. As released, short gaps at either end of the video are covered by nothing and overlaps stay; by default they are covered.
export function sourceSegments(
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
