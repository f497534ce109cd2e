import { isObject } from '../../../../src/core/json.ts'
import { parsePlainJson } from '../../../python/json.ts'
import { strip } from '../../../python/text.ts'
import { isTrue } from '../../../python/value.ts'
import type { Dict } from '../python-error.ts'

export interface ToolScores {
  tool: unknown
  parameters: unknown
}

// The calls that a reply makes, as the released tools of the first version read them: fenced JSON, else JSON in the text,
// else TOOL_CALL: name(key="value").
export function readToolCalls(reply: string): ToolScores[] {
  const fenced = /```json\s*(\{[\s\S]*?\})\s*```/g
  const inline = /(\{[^{}]*"tool_calls"[^{}]*\[[^\]]*\][^{}]*\})/g
  for (const pattern of [fenced, inline]) {
    const calls = callsInJson([...reply.matchAll(pattern)].map(([, json = '']) => json))
    if (calls.length > 0) return calls
  }
  const named = reply.matchAll(/TOOL_CALL:\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*\(([\s\S]*?)\)/g)
  return [...named].map(([, tool, parameters = '']) => ({ tool, parameters: readParameters(strip(parameters)) }))
}

// The first JSON that has tool_calls decides.
function callsInJson(texts: string[]): ToolScores[] {
  const { tool_calls: listed } =
    texts
      .flatMap(parsed)
      .filter(isObject)
      .find(value => 'tool_calls' in value) ?? {}
  return (Array.isArray(listed) ? listed : [])
    .filter(isObject)
    .filter(call => 'tool' in call)
    .map(call => ({ tool: call.tool, parameters: call.parameters ?? {} }))
}

// A value ends at the first quote of either kind, escaped or not; digits with at most one point become a number.
function readParameters(text: string): Dict {
  const assignments = text.matchAll(/([\p{L}\p{N}_]+)\s*=\s*["']([^"']*)["']/gu)
  return Object.fromEntries([...assignments].map(([, key, value = '']) => [key, readValue(value)]))
}

function readValue(value: string): unknown {
  if (value.startsWith('[') && value.endsWith(']')) {
    const [list = value] = parsed(value)
    return list
  }
  return /^(?:\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : value
}

// The calls a turn expects: objects, JSON texts, or the older tool_calls_json. What is broken is passed over.
export function expectedCalls(turn: Dict): unknown[] {
  if (isTrue(turn.tool_calls))
    return Array.isArray(turn.tool_calls)
      ? turn.tool_calls.flatMap(call => (typeof call === 'string' ? parsed(call) : isObject(call) ? [call] : []))
      : []
  if (typeof turn.tool_calls_json !== 'string') return []
  const [list] = parsed(turn.tool_calls_json)
  return Array.isArray(list) ? list : []
}

function parsed(text: string): unknown[] {
  try {
    return [parsePlainJson(text)]
  } catch {
    return []
  }
}
