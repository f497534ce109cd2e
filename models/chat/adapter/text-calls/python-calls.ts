import { looseJson } from '../loose-json.ts'
import { type FoundCall, toolName } from './found-call.ts'

// search(query="red car", k=3), alone or in a list: the whole text must be calls of known tools, or it is prose.
export function pythonCalls(text: string, known: ReadonlySet<string> | undefined): FoundCall[] {
  const inner = text.trim().replace(/^\[([\s\S]*)\]$/, '$1')
  const calls: FoundCall[] = []
  let at = 0
  while (at < inner.length) {
    const head = /\s*(?:[,;]\s*)?([A-Za-z_][\w.]*)\s*\(/y
    head.lastIndex = at
    const match = head.exec(inner)
    if (!match) return /^\s*$/.test(inner.slice(at)) ? calls : []
    const name = toolName(match[1] ?? '')
    if (known && !known.has(name)) return []
    const read = readArguments(inner, head.lastIndex)
    if (!read) return []
    calls.push({ name, arguments: read.values })
    at = read.end
  }
  return calls
}

function readArguments(text: string, start: number): { values: Record<string, unknown>; end: number } | undefined {
  const values: Record<string, unknown> = {}
  let at = start
  for (;;) {
    const rest = /\s*,?\s*/y
    rest.lastIndex = at
    rest.exec(text)
    at = rest.lastIndex
    if (text[at] === ')') return { values, end: at + 1 }
    const key = /([A-Za-z_]\w*)\s*=\s*/y
    key.lastIndex = at
    const match = key.exec(text)
    if (!match) return undefined
    const value = looseJson(text, key.lastIndex)
    if (value?.cut !== 'no') return undefined
    values[match[1] ?? ''] = value.value
    at = value.end
  }
}
