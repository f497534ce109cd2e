import { errorText } from '../../../../src/core/errors.ts'
import type { Track } from '../../../../src/core/evidence.ts'
import { formatTime, overlap, type Span } from '../../../../src/core/time.ts'
import { findUngrounded } from '../../../../src/text/ungrounded.ts'
import { showValue } from '../../../../tools/calculator/calculator.ts'
import { evaluate } from '../../../../tools/calculator/evaluate.ts'
import { readTimestamp } from '../../../../tools/longshot/timestamp.ts'
import { eachItem } from '../../../recipes/checks/parts/verdicts.ts'
import type { ItemCheck, SourceRecord, SourceRow } from '../../../recipes/item.ts'
import { ownTools } from '../agentic/criteria.ts'

// A call that a turn expects, in the form of the released records; the calls of a turn are its trajectory.
export interface ExpectedCall {
  tool: string
  parameters: Record<string, unknown>
  expected_response: string
}

const unproven = ['web_search', 'execute_code', 'translate_speech', 'translate_text']
const worldly = [...unproven, 'calculator', 'memory_tool'] // what they return cannot be found in a record
const computing = ['calculator', 'count_objects', ...unproven]
const tracks: Record<string, Track> = {
  transcribe_speech: 'speech',
  extract_scene_text: 'text',
  detect_audio_events: 'sound',
}

export function computingTools(calls: readonly ExpectedCall[]): string[] {
  return [...new Set(calls.map(({ tool }) => tool))].filter(tool => computing.includes(tool))
}

// Which tools have something to do in a video.
export function fittingTools({ rows, mute }: SourceRecord): string[] {
  const has = (track: Track) => rows.some(row => row.track === track)
  const needs: Record<string, boolean> = {
    transcribe_speech: has('speech'),
    translate_speech: has('speech'),
    extract_scene_text: has('text'),
    detect_audio_events: !mute,
  }
  return ownTools.map(({ name }) => name).filter(name => needs[name] ?? true)
}

// The call with what the record and a calculator return for it; others keep what their author wrote.
export function withReply(call: ExpectedCall, record: SourceRecord): ExpectedCall {
  const reply = lookUpReply(call, record)
  return reply === undefined ? call : { ...call, expected_response: JSON.stringify(reply) }
}

function lookUpReply({ tool, parameters }: ExpectedCall, record: SourceRecord): object | undefined {
  if (tool === 'calculator') return { result: showValue(evaluate(String(parameters.expression))) }
  const track = tracks[tool]
  const span = track && readSpan(parameters, record)
  const texts = span ? rowsIn(record, track, span).map(row => row.text) : []
  if (texts.length === 0 || !span) return undefined
  if (tool === 'extract_scene_text') return { texts }
  if (tool === 'detect_audio_events') return { description: texts.join(', ') }
  return { transcript: texts.join(' '), timestamp: `${formatTime(span.start)}-${formatTime(span.end)}` }
}

function rowsIn({ rows }: SourceRecord, track: Track, span: Span): SourceRow[] {
  return rows.filter(row => row.track === track && overlap(row.span, span) > 0)
}

function readSpan({ timestamp }: ExpectedCall['parameters'], { statistics }: SourceRecord): Span | undefined {
  return typeof timestamp === 'string' ? readTimestamp(timestamp, statistics.duration).span : undefined
}

// What is wrong with the calls of a turn whose stretches are these.
export function faultOfCalls(
  calls: readonly ExpectedCall[],
  keys: readonly number[],
  record: SourceRecord,
): string | undefined {
  const again = calls.find((call, at) => calls.slice(0, at).some(one => isSameCall(one, call)))
  if (again) return `${again.tool} is called twice with the same parameters`
  for (const call of calls) {
    const fault = faultOfCall(call, keys, record)
    if (fault !== undefined) return `${call.tool}: ${fault}`
  }
}

function isSameCall(a: ExpectedCall, b: ExpectedCall): boolean {
  return a.tool === b.tool && JSON.stringify(a.parameters) === JSON.stringify(b.parameters)
}

function faultOfCall(call: ExpectedCall, keys: readonly number[], record: SourceRecord): string | undefined {
  const { tool, parameters, expected_response: reply } = call
  const { inputs } = ownTools.find(({ name }) => name === tool) ?? { inputs: [] }
  const inputNames = inputs.map(input => input.replace(/[?[\]]+$/, ''))
  const unknown = Object.keys(parameters).find(name => !inputNames.includes(name))
  if (unknown !== undefined) return `it has no parameter "${unknown}"`
  const missing = inputs.find(input => /\w$/.test(input) && !(input in parameters))
  if (missing !== undefined) return `the parameter "${missing}" is missing`
  try {
    const span = readSpan(parameters, record)
    const stretches = record.segments.filter(({ segment_index }) => keys.includes(segment_index))
    if (span && !stretches.some(({ temporal }) => overlap(temporal, span) > 0))
      return `${String(parameters.timestamp)} is in none of the stretches ${keys.join(', ')}`
    if (lookUpReply(call, record) === undefined && (tool === 'transcribe_speech' || tool === 'extract_scene_text'))
      return `nothing is ${tool === 'transcribe_speech' ? 'said' : 'written'} at ${String(parameters.timestamp)}`
  } catch (error) {
    return errorText(error)
  }
  if (reply.trim() === '') return 'it returns nothing'
  const strange = worldly.includes(tool) ? [] : findUngrounded(reply.replaceAll(/["{}[\]]/g, ' '), recordTexts(record))
  return strange.length > 0 ? `it returns what the record does not hold: ${strange.join(', ')}` : undefined
}

function recordTexts({ segments, rows }: SourceRecord): string[] {
  const times = segments.flatMap(({ temporal: { start, end } }) => [formatTime(start), formatTime(end)])
  return [
    ...times,
    ...rows.flatMap(({ text, span }) => [text, formatTime(span.start), formatTime(span.end)]),
    ...segments.flatMap(({ multimodal_description, key_events }) => [multimodal_description, ...key_events]),
  ]
}

// The calls of agentic turns are those that a tool takes, and return what the video bears out. What no record can bear out is shown to
// people first.
export const expectedCallsCheck: ItemCheck = {
  k: 0,
  name: 'calls',
  run: (items, { record }) =>
    eachItem(items, ({ video, extra }) => {
      if (!Array.isArray(extra.tool_calls)) return undefined
      const calls = extra.tool_calls as ExpectedCall[]
      const keys = Array.isArray(extra.key_segments) ? extra.key_segments.map(Number) : []
      const fault = faultOfCalls(calls, keys, record(video))
      if (fault !== undefined) return fault
      const free = calls.filter(({ tool }) => unproven.includes(tool)).map(({ tool }) => tool)
      const detail = `nothing of the video bears out what ${free.join(', ')} returns`
      return free.length > 0 ? { outcome: 'flag', detail } : undefined
    }),
}
