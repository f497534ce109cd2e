import { shallowJson } from '../../src/core/json.ts'

// The JSON object in a model's reply, also within a code fence or between words; undefined where there is none.
export function readJson(text: string): unknown {
  const inner = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text
  for (const candidate of [inner.trim(), inner.slice(inner.indexOf('{'), inner.lastIndexOf('}') + 1)]) {
    try {
      const value = shallowJson(candidate)
      if (value && typeof value === 'object') return value
    } catch {
      // the next candidate
    }
  }
  return undefined
}
