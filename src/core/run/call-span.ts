import type { Track } from '../evidence.ts'
import type { Span } from '../time.ts'
import type { ToolKind } from '../tool.ts'
import { parseTime } from '../words/time-text.ts'
import type { CallSpan } from './step-spans.ts'

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
  const input = readFields(call.input)
  const named = Array.isArray(input.tracks) ? (input.tracks as Track[]) : undefined
  return { lane, span: readSpan(input, duration), tracks: named ?? (call.kind && usual[call.kind]) ?? [] }
}

// The times of a call, by whatever name a tool has them.
function readSpan(input: Record<string, unknown>, duration: number): Span {
  const [first, last = first] = typeof input.timestamp === 'string' ? input.timestamp.split(/\s*[-–]\s*/) : []
  const start = parseTime(input.start) ?? parseTime(input.after) ?? parseTime(first) ?? 0
  const end = parseTime(input.end) ?? parseTime(input.before) ?? parseTime(last) ?? duration
  return { start: Math.min(start, duration), end: Math.min(Math.max(start, end), duration) }
}

function readFields(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
}
