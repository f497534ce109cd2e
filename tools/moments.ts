import { type Span, touches } from '../src/core/time.ts'
import type { VideoIndex } from '../src/core/video.ts'

// The seconds of a span whose frames say most: where the picture changed, then evenly between.
export function momentsOf(span: Span, index: VideoIndex, most: number): number[] {
  const kept = index.stills.map(still => still.time).filter(time => touches({ start: time, end: time }, span))
  const even = Array.from({ length: most }, (_, i) => span.start + ((i + 0.5) * (span.end - span.start)) / most)
  const times = kept.length >= most ? spread(kept, most) : [...kept, ...even.slice(0, most - kept.length)]
  return [...new Set(times)].sort((a, b) => a - b)
}

function spread(times: readonly number[], most: number): number[] {
  return Array.from({ length: most }, (_, i) => times[Math.floor((i * times.length) / most)])
}
