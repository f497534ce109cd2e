import { looseJson } from '../loose-json.ts'

export interface FoundCall {
  name: string
  arguments: unknown // the raw text if it could not be parsed; checking the call reports that to the model
}

const nameKeys = ['name', 'tool', 'tool_name', 'function_name', 'action', 'function']
const argumentKeys = 'arguments parameters args input tool_input action_input params inputs kwargs'.split(' ')
const listKeys = ['tool_calls', 'calls', 'function_calls', 'tools', 'actions']

// Reads calls from a JSON value, in any shape that models use. With `known`, the names of the tools, only shapes that
// name a tool count, so that a JSON answer is not mistaken for a call.
export function parseCalls(found: unknown, known?: ReadonlySet<string>): FoundCall[] {
  if (Array.isArray(found)) return found.flatMap(item => parseCalls(item, known))
  if (!found || typeof found !== 'object') return []
  const fields = found as Record<string, unknown>
  for (const key of listKeys) if (Array.isArray(fields[key])) return parseCalls(fields[key], known)
  for (const key of ['function_call', 'function', 'tool_call'])
    if (fields[key] && typeof fields[key] === 'object') return parseCalls(fields[key], known)
  const nameKey = nameKeys.find(key => typeof fields[key] === 'string' && fields[key] !== '')
  if (nameKey) {
    const name = toolName(fields[nameKey] as string)
    return known && !known.has(name) ? [] : [{ name, arguments: pickArguments(fields, nameKey) }]
  }
  const [[name, value] = ['', undefined], ...others] = Object.entries(fields)
  const isCall = known?.has(name) && others.length === 0 && value && typeof value === 'object' && !Array.isArray(value)
  return isCall ? [{ name, arguments: value }] : []
}

// "functions.search:0" -> "search"
export function toolName(text: string): string {
  return text
    .trim()
    .replace(/^functions?\./, '')
    .replace(/:\d+$/, '')
}

// Parses arguments that came as text: JSON as models write it, otherwise the text itself.
export function argumentsFrom(text: string): unknown {
  if (text.trim() === '') return {}
  const read = looseJson(`${text}\n`)
  if (read?.cut !== 'no' || text.slice(read.end).trim() !== '') return text
  return typeof read.value === 'string' ? argumentsFrom(read.value) : read.value
}

function pickArguments(fields: Record<string, unknown>, nameKey: string): unknown {
  const key = argumentKeys.find(candidate => candidate !== nameKey && fields[candidate] !== undefined)
  if (key === undefined) {
    const { [nameKey]: _, id: __, type: ___, ...rest } = fields
    return rest
  }
  const value = fields[key]
  return typeof value === 'string' ? argumentsFrom(value) : (value ?? {})
}
