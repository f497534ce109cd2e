import type { z } from 'zod'
import { nearest, UsageError } from '../core/errors.ts'
import type { Origin } from './layer.ts'
import { knownBelow, outlineAt } from './outline.ts'
import { type Tree, valueAt } from './tree.ts'

// Turns the first thing that is wrong into a sentence that names the setting, its value, its place and what is allowed.
export function explain(error: z.ZodError, values: Tree, origins: ReadonlyMap<string, Origin>): UsageError {
  const issue = error.issues[0]
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return unknownSetting([...path, issue.keys[0]], origins)
  const name = path.join('.')
  const value = valueAt(values, path)
  return new UsageError(`${name} is ${JSON.stringify(value)} in ${placeOf(name, origins)}: ${wanted(issue)}.`, {
    hint: hintFor(issue, path, value),
  })
}

function unknownSetting(path: string[], origins: ReadonlyMap<string, Origin>): UsageError {
  const name = path.join('.')
  const above = path.slice(0, -1)
  const { names } = knownBelow(above)
  const near = nearest(path[path.length - 1], names)
  const choices = `${above.length > 0 ? `Settings of ${above.join('.')}` : 'Sections'}: ${names.join(', ')}.`
  return new UsageError(`Unknown setting "${name}" in ${placeOf(name, origins)}.`, {
    hint: near ? `Did you mean "${[...above, near].join('.')}"? ${choices}` : choices,
  })
}

// The place of a value, or of whatever below or above it was set.
function placeOf(name: string, origins: ReadonlyMap<string, Origin>): string {
  const exact = origins.get(name)
  if (exact) return exact.place
  for (const [known, origin] of origins)
    if (known.startsWith(`${name}.`) || name.startsWith(`${known}.`)) return origin.place
  return 'the settings'
}

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return 'not one of the allowed values'
    case 'invalid_type':
      return `expected ${article(issue.expected)}`
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`
    case 'invalid_union':
      return 'not of an allowed kind'
    default:
      return issue.message
  }
}

function article(kind: string): string {
  if (kind === 'int') return 'a whole number'
  if (kind === 'boolean') return 'true or false'
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function hintFor(issue: z.core.$ZodIssue, path: string[], value: unknown): string | undefined {
  if (issue.code === 'invalid_value') {
    const { values } = issue
    const near = nearest(String(value), values.map(String))
    return `${near ? `Did you mean "${near}"? ` : ''}Choose one of: ${values.map(String).join(', ')}.`
  }
  const about = outlineAt(path)?.description
  return about
    ? `${path.join('.')}: ${about}. See "longtake config schema --markdown".`
    : 'See "longtake config schema --markdown".'
}
