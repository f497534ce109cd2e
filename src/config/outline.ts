import { z } from 'zod'
import type { FoundMay } from '../core/found-may.ts'
import { Config } from './schema.ts'

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

let made: Outline | undefined

// The schema of the configuration as plain data.
export function outline(): Outline {
  made ??= z.toJSONSchema(Config, { io: 'input' }) as Outline
  return made
}

export function outlineAt(path: readonly string[]): Outline | undefined {
  let at: Outline | undefined = outline()
  for (const key of path) {
    if (at?.properties && Object.hasOwn(at.properties, key)) at = at.properties[key]
    else at = typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined
  }
  return at
}

// What the schema says of a path: a setting or section, "open" below a section that takes any name, "unknown" where the schema
// refuses the name.
export function knownOutline(path: readonly string[]): Outline | 'open' | 'unknown' {
  let at = outline()
  for (const key of path) {
    if (at.properties && Object.hasOwn(at.properties, key)) at = at.properties[key]
    else return at.properties && at.additionalProperties === false ? 'unknown' : 'open'
  }
  return at
}

// The names that may stand below a path; open sections (a backend's settings, policies) take others too.
export function knownBelow(path: readonly string[]): { names: string[]; open: boolean } {
  const at = outlineAt(path)
  const more = at?.additionalProperties
  return { names: Object.keys(at?.properties ?? {}), open: more !== undefined && more !== false }
}
