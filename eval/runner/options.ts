import { z } from 'zod'
import { UsageError, unknownName } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { impliedOptions } from '../protocols/show.ts'

// The benchmark's own settings, from "name=value" texts; values are JSON where they read as JSON, else text.
export function readOptions({ name, settings }: Benchmark, given: readonly string[]): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input' }) as { properties?: Record<string, unknown> }
  const values: Record<string, unknown> = {}
  for (const assignment of impliedOptions(given, Object.keys(properties))) {
    const at = assignment.indexOf('=')
    const option = assignment.slice(0, at).trim()
    if (at <= 0)
      throw new UsageError(`--option "${assignment}" sets nothing.`, { hint: 'Write it as --option name=value.' })
    if (!Object.hasOwn(properties, option)) throw unknownName(`setting of ${name}`, option, Object.keys(properties))
    values[option] = readValue(assignment.slice(at + 1), properties[option])
  }
  const parsed = settings.safeParse(values)
  if (parsed.success) return parsed.data as Record<string, unknown>
  const [issue] = parsed.error.issues
  throw new UsageError(`--option ${issue?.path.join('.')}: ${issue?.message}.`, {
    hint: `See "longtake bench show ${name}".`,
  })
}

// "off" is a word where the setting has words and no switch.
function readValue(text: string, schema: unknown): unknown {
  if ((text === 'on' || text === 'off') && JSON.stringify(schema).includes('"boolean"')) return text === 'on'
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
