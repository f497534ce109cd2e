// Span of time.ts without its schema, as the page uses this file as well.
interface Span {
  start: number
  end: number
}

// Sorted, and joined where the gap between two is at most `gap` seconds.
export function mergeSpans(spans: readonly Span[], gap = 0): Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1)
    if (last && span.start <= last.end + gap) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

// What of `whole` is not in `spans`.
export function gapsBetween(spans: readonly Span[], whole: Span): Span[] {
  const gaps: Span[] = []
  let at = whole.start
  for (const span of mergeSpans(spans)) {
    if (span.start > at) gaps.push({ start: at, end: Math.min(span.start, whole.end) })
    at = Math.max(at, span.end)
  }
  if (at < whole.end) gaps.push({ start: at, end: whole.end })
  return gaps.filter(gap => gap.end > gap.start)
}

// What was decoded and came to nothing: voices without words, pictures without a still.
export function emptySpans({ notUnderstood = [], unkept = [] }: { notUnderstood?: Span[]; unkept?: Span[] }): Span[] {
  return [...notUnderstood, ...unkept]
}
