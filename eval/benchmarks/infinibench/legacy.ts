import { parseLiteral } from '../../python/literal.ts'
import { strip } from '../../python/text.ts'
import { isDict, type PythonValue } from '../../python/value.ts'

// What the scripts of the 2024 version read: the dict in the reply, its decision (option number) or score (0 to 5) cut to a
// whole number; undefined where there is none. Only for reading old results.
export function readLegacy(reply: string, field: 'decision' | 'score'): number | undefined {
  const dict = /\{[\s\S]*\}/.exec(reply)?.[0]
  if (!dict) return undefined
  try {
    const value = parseLiteral(dict)
    return isDict(value) ? wholeNumber(value.get(field)) : undefined
  } catch {
    return undefined
  }
}

// int(value)
function wholeNumber(value: PythonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && /^[-+]?\d+$/.test(strip(value)) ? Number(strip(value)) : undefined
}
