import { z } from 'zod'
import type { FoundMay } from '../core/settings.ts'
import { Config } from './schema.ts'
import type { SettingPath } from './tree.ts'

// The part of a JSON schema that the layers, the table and the hints need.
export interface Outline extends FoundMay {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  properties?: Record<string, Outline>
  additionalProperties?: boolean | Outline
  anyOf?: Outline[]
  required?: string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
}

let cached: Outline | undefined

// The schema of the configuration as plain data.
export function outline(): Outline {
  cached ??= z.toJSONSchema(Config, { io: 'input' }) as Outline
  return cached
}

export function outlineAt(path: readonly string[]): Outline | undefined {
  let at: Outline | undefined = outline()
  for (const key of path) {
    const otherKeys: Outline | undefined =
      typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined
    at = findProperty(at, key) ?? otherKeys
  }
  return at
}

// What the schema says of a path: a setting or section, "open" below a section that takes any name, "unknown" where the schema
// refuses the name.
export function knownOutline(path: readonly string[]): Outline | 'open' | 'unknown' {
  let at = outline()
  for (const key of path) {
    const below = findProperty(at, key)
    if (!below) return at.properties && at.additionalProperties === false ? 'unknown' : 'open'
    at = below
  }
  return at
}

function findProperty(at: Outline | undefined, key: string): Outline | undefined {
  return at?.properties && Object.hasOwn(at.properties, key) ? at.properties[key] : undefined
}

// The names that the schema has below a path.
export function knownNames(path: readonly string[]): string[] {
  return Object.keys(outlineAt(path)?.properties ?? {})
}

// A value typed by the user: JSON where it reads as JSON, else the text itself. What is declared as text stays text, and
// "on" and "off" are switches only where a switch is due: as a backend, "off" is a name.
export function readValue(text: string, path: SettingPath): unknown {
  const due = outlineAt(path)
  if (due?.type === 'string') return text
  const switches = due && [due, ...(due.anyOf ?? [])].some(kind => [kind.type].flat().includes('boolean'))
  const word = text.toLowerCase()
  if (switches && Object.hasOwn(words, word)) return words[word]
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const words: Record<string, boolean> = { on: true, yes: true, off: false, no: false }
