import { createHash } from 'node:crypto'

// sha256 of a value's JSON with sorted keys: equal content, equal hash, whatever the order it was written in.
export function contentHash(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('hex')
}

export function stableJson(value: unknown): string {
  if (value instanceof Uint8Array) return JSON.stringify(`bytes:${createHash('sha256').update(value).digest('hex')}`)
  if (Array.isArray(value)) return `[${value.map(item => stableJson(item ?? null)).join(',')}]`
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stableJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
