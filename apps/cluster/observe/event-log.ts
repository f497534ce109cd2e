import { safeJson } from '../../../src/core/words/visible-text.ts'
import { redactor } from '../../../src/store/redact.ts'

// One JSON line for each event of a worker, with when it was written and without secrets.
export function eventLog(write: (line: string) => void, secrets: readonly string[]): (event: object) => void {
  const redact = redactor(secrets)
  return event => write(`${safeJson(redact({ time: new Date().toISOString(), ...event }))}\n`)
}
