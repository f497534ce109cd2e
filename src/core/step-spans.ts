import type { Track } from './evidence.ts'
import type { Span } from './time.ts'
import { parseTime } from './time-text.ts'
import type { ToolKind } from './tool.ts'

// Where in the video a call of a tool has been: `searched` goes through what the index knows, `looked` goes back to the frames or
// the sound.
export interface CallSpan {
  lane: 'searched' | 'looked'
  span: Span // that it asked for; the whole video where it named none
  tracks: Track[] // that it named, or that such a tool is about
}

export interface MarkedRow {
  id: string
  span: Span
  track: Track
}

export interface LaneMark {
  span: Span
  step: number
  row?: string
  track?: Track
}

const lanes: Partial<Record<ToolKind, CallSpan['lane']>> = {
  search: 'searched',
  list: 'searched',
  look: 'looked',
  listen: 'looked',
  read: 'looked',
}
const usual: Partial<Record<ToolKind, Track[]>> = { look: ['picture'], listen: ['sound'], read: ['text'] }

// None for a call that was not made, and for tools that do not go into the video.
export function callSpan(
  call: { kind?: ToolKind; input: unknown; outcome: string },
  duration: number,
): CallSpan | undefined {
  const lane = call.kind && lanes[call.kind]
  if (!lane || !['found', 'nothing'].includes(call.outcome)) return undefined
  const input = fieldsOf(call.input)
  const named = Array.isArray(input.tracks) ? (input.tracks as Track[]) : undefined
  return { lane, span: spanOf(input, duration), tracks: named ?? (call.kind && usual[call.kind]) ?? [] }
}

// The times of a call, by whatever name a tool has them.
function spanOf(input: Record<string, unknown>, duration: number): Span {
  const [first, last = first] = typeof input.timestamp === 'string' ? input.timestamp.split(/\s*[-–]\s*/) : []
  const start = parseTime(input.start) ?? parseTime(input.after) ?? parseTime(first) ?? 0
  const end = parseTime(input.end) ?? parseTime(input.before) ?? parseTime(last) ?? duration
  return { start: Math.min(start, duration), end: Math.min(Math.max(start, end), duration) }
}

function fieldsOf(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
}

interface Step {
  step: number
  tools: readonly { span?: CallSpan; found: readonly MarkedRow[] }[]
}

// The marks of some steps for the lanes under the player. A search that found something is marked where its rows are.
export function laneMarks(
  steps: readonly Step[],
  cited: readonly MarkedRow[],
): Record<'searched' | 'looked' | 'cited', LaneMark[]> {
  const marksIn = (lane: CallSpan['lane']) =>
    steps.flatMap(({ step, tools }) =>
      tools.flatMap(({ span, found }): LaneMark[] => {
        if (span?.lane !== lane) return []
        if (lane === 'looked' || found.length === 0) return [{ span: span.span, step }]
        return found.map(({ id, span, track }) => ({ span, step, row: id, track }))
      }),
    )
  const last = steps.at(-1)?.step ?? 0
  return {
    searched: marksIn('searched'),
    looked: marksIn('looked'),
    cited: cited.map(({ id, span, track }) => ({ span, step: last, row: id, track })),
  }
}
