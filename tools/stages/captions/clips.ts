import type { CaptionSettings } from '../../../src/core/settings.ts'
import { evenMoments } from '../../../src/core/sight/moments.ts'
import { nearestTo } from '../../../src/core/sight/spread.ts'
import { mergeSpans, type Span, spanLength } from '../../../src/core/time.ts'
import type { Shot, Still } from '../../../src/core/video.ts'

// What is captioned in one call: a span, and the kept stills that show it.
export interface CaptionClip {
  span: Span
  stills: Still[]
}

// The clips of a video, in time order, only from its shots and stills, so that a forecast counts what will be asked. A piece in which
// nothing new is seen belongs to the clip before it: a slide that stands for ten minutes is described once.
export function cutCaptionClips(
  shots: readonly Shot[],
  stills: readonly Still[],
  settings: CaptionSettings,
): CaptionClip[] {
  if (settings.mode === 'off') return []
  const bases: Span[] = settings.mode === 'shots' ? [...shots] : mergeSpans([...shots])
  const clips: CaptionClip[] = []
  let from = 0
  for (const base of bases) {
    let last: CaptionClip | undefined
    for (const span of pieces(base, settings.seconds)) {
      while ((stills[from]?.time ?? span.end) < span.start) from++
      const inside: Still[] = []
      for (let at = from; (stills[at]?.time ?? span.end) < span.end; at++) inside.push(stills[at] as Still)
      if (last && inside.every(isRepeat)) last.span = { start: last.span.start, end: span.end }
      else if (inside.length > 0) {
        last = { span, stills: thinned(inside, span, settings.frames) }
        clips.push(last)
      }
    }
  }
  return clips
}

function pieces({ start, end }: Span, seconds: number): Span[] {
  const count = Math.max(1, Math.ceil((spanLength({ start, end }) - 1e-3) / seconds))
  const length = (end - start) / count
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * length,
    end: at === count - 1 ? end : start + (at + 1) * length,
  }))
}

// Kept because time went by, while the picture stayed as it was (tools/stages/decode/sampling.ts).
function isRepeat({ reason }: Still): boolean {
  return reason === 'interval'
}

// Stills that show something new, or one where nothing is new; where they are too many, some at even distances over the whole clip.
function thinned(stills: Still[], span: Span, max: number): Still[] {
  const fresh = stills.filter((still, at) => at === 0 || !isRepeat(still))
  return fresh.length <= max ? fresh : nearestTo(evenMoments(span, max), stills)
}
