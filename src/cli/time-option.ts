import { UsageError } from '../core/errors.ts'
import { parseTime } from '../core/time.ts'
import type { Call } from './call.ts'

// A time given on the command line, in seconds.
export function timeOption(call: Call, flag: string): number | undefined {
  const text = call.text(flag)
  if (text === undefined) return undefined
  const seconds = parseTime(text)
  if (seconds !== undefined) return seconds
  throw new UsageError(`${flag} "${text}" is no time.`, { hint: 'Write it as 1:02:03, 2:03.5 or 62 (seconds).' })
}
