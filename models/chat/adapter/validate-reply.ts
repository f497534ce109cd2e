import { z } from 'zod'
import { shallowJson } from '../../../src/core/json.ts'
import { explainReplyIssue } from '../../explain-issue.ts'
import { looseJson } from './loose-json.ts'

type Validation = { value: unknown; problem?: undefined } | { problem: string }

// Validates a reply against a JSON schema, ignoring a code block or words around the JSON.
export function validateReply(text: string, schema: object): Validation {
  const value = jsonIn(text)
  if (value === undefined) return { problem: 'it is not JSON' }
  const result = checker(schema).safeParse(value)
  if (result.success) return { value }
  return { problem: explainReplyIssue(result.error, 'the value') }
}

const checkers = new WeakMap<object, z.ZodType>()

function checker(schema: object): z.ZodType {
  const validator = checkers.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  checkers.set(schema, validator)
  return validator
}

// The JSON of a reply, without a code block or words around it; undefined if there is none.
export function jsonIn(text: string): unknown {
  try {
    return shallowJson(text)
  } catch {
    const bare = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text
    const start = bare.search(/[{[]/)
    const read = start < 0 ? undefined : looseJson(bare, start)
    return read?.cut === 'no' ? read.value : undefined
  }
}
