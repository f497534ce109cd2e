// Span of time.ts without its schema, as the page uses this file as well.
interface Span {
  start: number
  end: number
}

// What was decoded and came to nothing: voices without words, pictures without a still.
export function emptySpans({ notUnderstood = [], unkept = [] }: { notUnderstood?: Span[]; unkept?: Span[] }): Span[] {
  return [...notUnderstood, ...unkept]
}
