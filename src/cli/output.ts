import type { Watch } from '../core/agent.ts'
import { safeJson } from '../core/words/visible-text.ts'
import { showBriefly } from './brief-progress.ts'
import type { Call } from './call.ts'
import { showProgress } from './progress.ts'
import { wrapLine } from './show/width.ts'

// Reports a run to the user on stderr and, with --ndjson, to programs on stdout.
export async function watching<T>(call: Call, work: (watch: Watch) => Promise<T>, title?: string): Promise<T> {
  const { settings } = await call.settings()
  const style = call.has('--quiet') ? 'off' : settings.output.progress
  const isVerbose = call.has('--verbose')
  if (isVerbose && title !== undefined) call.remark(title)
  const progress = isVerbose ? showProgress(call.terminal, style) : showBriefly(call.terminal, style, title)
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

// The result of a command: a document, the last line of the events, or lines of text. What is large comes as a function.
export function result(call: Call, document: Lazy<object>, lines: Lazy<string[]>): void {
  if (call.json) call.document(evaluated(document))
  else if (call.has('--ndjson'))
    call.terminal.out(`${safeJson({ type: 'result', schemaVersion: 1, ...evaluated(document) })}\n`)
  else call.terminal.out(`${fitted(evaluated(lines), call.terminal.width).join('\n')}\n`)
}

// On a terminal a line breaks between words.
function fitted(lines: string[], columns: number | undefined): string[] {
  return columns === undefined ? lines : lines.flatMap(line => line.split('\n').map(one => wrapLine(one, columns)))
}

type Lazy<T extends object> = T | (() => T)

function evaluated<T extends object>(given: Lazy<T>): T {
  return typeof given === 'function' ? given() : given
}
