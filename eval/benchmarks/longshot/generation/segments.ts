export interface SpeechSegment {
  start: number
  end: number
  text: string
}

export interface CaptionSegment extends SpeechSegment {
  segment_type: 'audio' | 'silent'
}

const longGap = 5

// The segments that get a caption: the speech, and a silent one for each gap of five seconds or more; a shorter gap belongs to
// the speech after it. Overlaps stay, and short gaps at either end of the video are covered by nothing.
export function captionSegments(speech: readonly SpeechSegment[], duration: number): CaptionSegment[] {
  const segments: CaptionSegment[] = []
  const silent = (start: number, end: number) => segments.push({ start, end, text: '', segment_type: 'silent' })
  let reached = 0
  for (const segment of [...speech].sort((a, b) => a.start - b.start)) {
    const gap = segment.start - reached
    if (gap >= longGap) silent(reached, segment.start)
    const start = gap > 0 && gap < longGap && segments.length > 0 ? reached : segment.start
    segments.push({ ...segment, start, segment_type: 'audio' })
    reached = Math.max(reached, segment.end)
  }
  if (speech.length === 0 || duration - reached >= longGap) silent(reached, duration)
  return segments
}

// Frames shown for a caption, by the segment's length in seconds.
export function captionFrames(duration: number): number {
  const steps: [number, number][] = [
    [0.5, 1],
    [2, 4],
    [5, 8],
    [10, 16],
    [20, 24],
  ]
  return steps.find(([longest]) => duration <= longest)?.[1] ?? 32
}
