import { z } from 'zod'
import type { SeekSettings } from '../../../src/core/settings.ts'
import { type FrameStore, viewMoments } from '../../../src/core/sight/frame-rows.ts'
import { clampSpan, formatSpan, type Span, spanLength } from '../../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../../src/core/tool.ts'
import { baselineTool, evenly } from '../baseline.ts'

const shortest = 0.2 // seconds of a look
const mostSpoken = 4000 // characters of what is said during a look

const time = z.number().min(0).describe('seconds from the start of the video')

// The three looks of VideoSeek: at the whole video, at a span from afar, at a few seconds closely. Their pictures go to the planner itself.
export function seekTools(store: FrameStore, settings: SeekSettings): Tool[] {
  const { overviewFrames, skimFrames, focusFrames, focusSeconds } = settings
  const look = async (span: Span, count: number, near: number, context: ToolContext): Promise<ToolResult> => {
    const framesLeft = context.framesLeft?.() ?? count
    const some = Math.min(count, framesLeft)
    if (some === 0) return { evidence: [], text: 'The budget of frames is used up: no picture is left to show.' }
    const step = spanLength(span) / some
    const times = Array.from({ length: some }, (_, i) => span.start + (i + 0.5) * step)
    const rows = await viewMoments(context, store, { times, span, width: () => settings.width, near })
    const isWhole = span.start === 0 && span.end >= context.index.coverage.duration // then the planner has its words already
    const spoken = isWhole ? [] : evenly(context.index.evidence({ tracks: ['speech'], span }), mostSpoken)
    const fewer = `The budget has ${framesLeft} frames left, so ${some} pictures are shown and not ${count}.`
    return { evidence: [...rows, ...spoken], ...(some < count && { text: fewer }) }
  }
  return [
    baselineTool(
      { name: 'overview', kind: 'look', description: `Shows ${overviewFrames} pictures of the whole video.` },
      z.object({}),
      async (_, context) => {
        const { duration } = context.index.coverage
        return look({ start: 0, end: duration }, overviewFrames, duration / overviewFrames / 2, context)
      },
    ),
    baselineTool(
      {
        name: 'skim',
        kind: 'look',
        description: `Shows ${skimFrames} pictures over a span of minutes, to find where something is.`,
      },
      z.object({ start: time, end: time }),
      async (wish, context) => {
        const span = within(wish, context)
        return look(span, skimFrames, spanLength(span) / skimFrames / 2, context)
      },
    ),
    baselineTool(
      {
        name: 'focus',
        kind: 'look',
        description: `Shows ${focusFrames} pictures close together, of ${focusSeconds} seconds at most, to see something exactly.`,
      },
      z.object({ start: time, end: time }),
      async (wish, context) => {
        const wholeSpan = within(wish, context)
        const span = { start: wholeSpan.start, end: Math.min(wholeSpan.end, wholeSpan.start + focusSeconds) }
        const result = await look(span, focusFrames, 0, context)
        if (span.end === wholeSpan.end) return result
        const note = `Only ${formatSpan(span)} of ${formatSpan(wholeSpan)} is shown.`
        return { ...result, text: [note, result.text].filter(Boolean).join(' ') }
      },
    ),
  ]
}

// Ends that were swapped, and moments without length.
function within({ start, end }: Span, { index }: ToolContext): Span {
  const { duration } = index.coverage
  const [from, to] = start <= end ? [start, end] : [end, start]
  const wide = to - from >= shortest ? { start: from, end: to } : { start: Math.max(0, from - 1), end: from + 1 }
  const span = clampSpan(wide, duration)
  return spanLength(span) > 0 ? span : { start: Math.max(0, duration - 2), end: duration }
}
