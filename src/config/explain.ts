import type { z } from 'zod'
import { firstZodIssue, nearest, UsageError } from '../core/errors.ts'
import { knownNames, outlineAt } from './outline.ts'
import { atOrAround, type Origin, settingAt, type Tree } from './tree.ts'

// Turns the first thing that is wrong into a sentence that names the setting, its value, its place and what is allowed.
export function explainSettingIssue(error: z.ZodError, values: Tree, origins: ReadonlyMap<string, Origin>): UsageError {
  const issue = firstZodIssue(error)
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') path.push(...issue.keys.slice(0, 1))
  const name = path.join('.')
  const origin = atOrAround(origins, name)?.place ?? 'the settings'
  if (issue.code === 'unrecognized_keys') return unknownSetting(path, origin)
  const value = settingAt(values, path)
  return new UsageError(`${name} is ${shownValue(value)} in ${origin}: ${expectation(issue)}.`, {
    hint: hintFor(issue, path, value),
  })
}

// Without the user and the password of an address.
function shownValue(value: unknown): string | undefined {
  return JSON.stringify(value)?.replace(/(:\/\/)[^\s"']{1,500}@/g, '$1[redacted]@')
}

function unknownSetting(path: string[], place: string): UsageError {
  const above = path.slice(0, -1)
  const names = knownNames(above)
  const near = nearest(path.at(-1) ?? '', names)
  const choices = `${above.length > 0 ? `Settings of ${above.join('.')}` : 'Sections'}: ${names.join(', ')}.`
  return new UsageError(`Unknown setting "${path.join('.')}" in ${place}.`, {
    hint: near ? `Did you mean "${[...above, near].join('.')}"? ${choices}` : choices,
  })
}

function expectation(issue: z.core.$ZodIssue): string {
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
    const near = nearest(typeof value === 'object' ? '' : String(value), values.map(String))
    return `${near ? `Did you mean "${near}"? ` : ''}Choose one of: ${values.map(String).join(', ')}.`
  }
  const about = outlineAt(path)?.description
  return `${about ? `${path.join('.')}: ${about}. ` : ''}See "longtake config schema --markdown".`
}
