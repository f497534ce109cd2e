import { createHash } from 'node:crypto'

// sha256 of a value's JSON with sorted keys: equal content, equal hash, whatever the order it was written in.
export function contentHash(value: unknown): string {
  return sha256(stableJson(value))
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

export function stableJson(value: unknown): string {
  if (value instanceof Uint8Array) return JSON.stringify(`bytes:${sha256(value)}`)
  if (Array.isArray(value)) return `[${value.map(item => stableJson(item ?? null)).join(',')}]`
  if (value && typeof value === 'object') {
    const object = value as Record<string, unknown>
    const keys = Object.keys(object).filter(key => object[key] !== undefined)
    return `{${keys
      .sort()
      .map(key => `${JSON.stringify(key)}:${stableJson(object[key])}`)
      .join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// As files hold them: a value indented by one space or two, and one value a line.
export const indentedJson = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`
export const prettyJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
export const jsonLines = (values: readonly unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')

// The JSON object in a model's reply, also within a code fence or between words; undefined if there is none.
export function parseJsonText(text: string): unknown {
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

const maxDepth = 200 // brackets within each other; nothing that is meant goes half as deep

// JSON.parse for what others may have written. What is nested more deeply is a SyntaxError as well: it could be parsed, but whatever
// walks through it afterwards would run out of stack.
export function shallowJson(text: string): unknown {
  checkDepth(text)
  return JSON.parse(text)
}

export function checkDepth(text: string): void {
  if (measureDepth(text) > maxDepth) throw new SyntaxError(`JSON is nested more than ${maxDepth} deep.`)
}

function measureDepth(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1) - 1
    else if (code === openBracket || code === openBrace) depth++
    else if (code === openBracket + 2 || code === openBrace + 2) depth--
  }
  return depth
}

const [quote, openBracket, openBrace] = [0x22, 0x5b, 0x7b]

// After the quote that ends it: one with an even number of backslashes before it.
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > start && text[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at + 1
  }
  return text.length
}
