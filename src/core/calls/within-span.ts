import type { Evidence } from '../evidence.ts'
import { formatSpan, type Span, touches } from '../time.ts'
import type { Tool } from '../tool.ts'
import type { VideoIndex } from '../video.ts'

// The index as far as one span goes: nothing outside of it is listed, found or shown.
export function indexWithin(index: VideoIndex, span: Span): VideoIndex {
  const cut = (wanted: Span = span): Span | undefined => {
    const both = { start: Math.max(wanted.start, span.start), end: Math.min(wanted.end, span.end) }
    return both.end > both.start ? both : undefined
  }
  const isInside = (row: Evidence) => touches(row.span, span)
  const stills = index.stills.flatMap((still, at) =>
    still.time >= span.start && still.time <= span.end ? [{ still, at }] : [],
  )
  const note = `Only ${formatSpan(span)} of the video is yours to search.`
  return {
    ...index,
    coverage: { ...index.coverage, notes: [...index.coverage.notes, note] },
    overview: {
      ...index.overview,
      chapters: index.overview.chapters.flatMap(chapter => {
        const within = cut(chapter.span)
        return within ? [{ ...chapter, span: within }] : []
      }),
    },
    shots: index.shots.filter(shot => touches(shot, span)),
    stills: stills.map(({ still }) => still),
    still: at => index.still(stills[at]?.at ?? -1),
    evidence(filter) {
      const within = cut(filter?.span)
      return within ? index.evidence({ ...filter, span: within }).filter(isInside) : []
    },
    async search(query) {
      const within = cut(query.span)
      return within ? index.search({ ...query, span: within }) : []
    },
  }
}

// A tool that goes back to the file is not held by the index: what it finds elsewhere is left out.
export function toolWithin(tool: Tool, span: Span): Tool {
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context)
      const evidence = result.evidence.filter(row => touches(row.span, span))
      if (evidence.length === result.evidence.length) return result
      return {
        ...result,
        evidence,
        text: [result.text, 'Rows outside of the span were left out.'].filter(Boolean).join(' '),
      }
    },
  }
}
