import type { Watch } from '../core/agent.ts'
import type { Call } from './call.ts'
import { showProgress } from './progress.ts'
import { safeJson } from './sanitise.ts'

// Follows a run for the person on stderr and, with --ndjson, for programs on stdout.
export async function watching<T>(call: Call, work: (watch: Watch) => Promise<T>): Promise<T> {
  const { settings } = await call.settings()
  const progress = showProgress(call.terminal, call.has('--quiet') ? 'off' : settings.output.progress)
  const events = call.has('--ndjson')
  try {
    return await work(event => {
      if (events) call.terminal.out(`${safeJson(event)}\n`)
      progress.watch(event)
    })
  } finally {
    progress.finish()
  }
}

// The result of a run that may be followed: a document, the last line of the events, or text.
export function result(call: Call, document: () => object, text: () => string[]): void {
  if (call.json) call.document(document())
  else if (call.has('--ndjson')) call.terminal.out(`${safeJson({ type: 'result', schemaVersion: 1, ...document() })}\n`)
  else call.terminal.out(`${text().join('\n')}\n`)
}
