import { z } from 'zod'
import { stamp } from '../../../src/core/evidence.ts'
import type { SeekSettings } from '../../../src/core/settings.ts'
import { clampSpan, formatSpan, formatTime, type Span, spanLength } from '../../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../../src/core/tool.ts'
import type { Pictures } from '../../pictures.ts'
import { evenly } from '../evenly.ts'
import { baselineTool } from '../tool-loop.ts'

const longestFrame = 1 // seconds that a frame is taken to speak for
const shortest = 0.2 // seconds of a look
const mostSpoken = 4000 // characters of what is said during a look

const time = z.number().min(0).describe('seconds from the start of the video')
const seen = z
  .string()
  .optional()
  .describe('what the pictures so far show that matters, with times: pictures of older looks are not shown again')

// The three looks of VideoSeek: at the whole video, at a span from afar, at a few seconds closely. Their pictures go to the planner itself.
export function seekTools(pictures: Pictures, settings: SeekSettings, by: string): Tool[] {
  const { overviewFrames, skimFrames, focusFrames, focusSeconds } = settings
  const look = (span: Span, count: number, near: number, context: ToolContext) =>
    lookAt({ span, count, near, pictures, by }, context)
  return [
    baselineTool(
      { name: 'overview', kind: 'look', description: `Shows ${overviewFrames} pictures of the whole video.` },
      z.object({ seen }),
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
      z.object({ start: time, end: time, seen }),
      async ({ start, end }, context) => {
        const span = within({ start, end }, context)
        return look(span, skimFrames, spanLength(span) / skimFrames / 2, context)
      },
    ),
    baselineTool(
      {
        name: 'focus',
        kind: 'look',
        description: `Shows ${focusFrames} pictures close together, of ${focusSeconds} seconds at most, to see something exactly.`,
      },
      z.object({ start: time, end: time, seen }),
      async ({ start, end }, context) => {
        const wholeSpan = within({ start, end }, context)
        const span = { start: wholeSpan.start, end: Math.min(wholeSpan.end, wholeSpan.start + focusSeconds) }
        const result = await look(span, focusFrames, 0, context)
        if (span.end === wholeSpan.end) return result
        const note = `Only ${formatSpan(span)} of ${formatSpan(wholeSpan)} is shown.`
        return { ...result, text: [note, result.text].filter(Boolean).join(' ') }
      },
    ),
  ]
}

interface Look {
  span: Span
  count: number
  near: number
  pictures: Pictures
  by: string
}

// Every frame is a row of its own, so that an answer can cite the very moment. Frames count when they are first shown.
async function lookAt({ span, count, near, pictures, by }: Look, context: ToolContext): Promise<ToolResult> {
  const framesLeft = context.framesLeft?.() ?? count
  const some = Math.min(count, framesLeft)
  if (some === 0) return { evidence: [], text: 'The budget of frames is used up: no picture is left to show.' }
  context.spend({ frames: some }) // now: other looks of the round must not take the same ones
  let fresh = 0
  try {
    const step = spanLength(span) / some
    const moments = Array.from({ length: some }, (_, i) => span.start + (i + 0.5) * step)
    const { times, failed } = await pictures.look(context, moments, near)
    const rows = times.map(frame => frameRow(frame, context, by))
    fresh = rows.filter(row => !row.known).length
    const notes = [
      some < count ? `The budget has ${framesLeft} frames left, so ${some} pictures are shown and not ${count}.` : '',
      failed.length > 0 ? `Nothing can be decoded at ${failed.map(formatTime).join(', ')}.` : '',
    ].filter(Boolean)
    const whole = span.start === 0 && span.end >= context.index.coverage.duration // then the planner has its words already
    const spoken = whole ? [] : evenly(context.index.evidence({ tracks: ['speech'], span }), mostSpoken)
    return {
      evidence: [...rows.map(row => row.row), ...spoken],
      ...(notes.length > 0 ? { text: notes.join(' ') } : {}),
    }
  } finally {
    context.spend({ frames: fresh - some })
  }
}

function frameRow(frame: number, context: ToolContext, by: string) {
  const { duration } = context.index.coverage
  const span = { start: frame, end: Math.max(frame, Math.min(duration, frame + longestFrame)) }
  const finding = { span, track: 'picture' as const, text: `frame at ${formatTime(frame)}`, frame }
  const isKnown = context.evidence(stamp(finding, context.video.id, by).id) !== undefined
  return { row: context.note(finding, by), known: isKnown }
}

// Ends that were swapped, and moments without length.
function within({ start, end }: Span, { index }: ToolContext): Span {
  const { duration } = index.coverage
  const [from, to] = start <= end ? [start, end] : [end, start]
  const wide = to - from >= shortest ? { start: from, end: to } : { start: Math.max(0, from - 1), end: from + 1 }
  const span = clampSpan(wide, duration)
  return spanLength(span) > 0 ? span : { start: Math.max(0, duration - 2), end: duration }
}
