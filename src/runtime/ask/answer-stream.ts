import type { RunEvent, Watch } from '../../core/agent.ts'
import { linkSignals } from '../../core/basics/signals.ts'
import type { AskReport } from '../../core/runtime.ts'

// The events of one question in their order, and its report once it is answered. Leaving the loop stops the question.
export interface AnswerStream extends AsyncIterable<RunEvent> {
  report: Promise<AskReport>
}

// Events are kept until they are read, so that a slow reader holds nothing up and none is lost.
export function answerStream(
  work: (watch: Watch, signal: AbortSignal) => Promise<AskReport>,
  outer?: AbortSignal,
): AnswerStream {
  const reader = linkSignals(outer)
  const waiting: RunEvent[] = []
  let ended = false
  let wake = () => {}
  const report = work(event => {
    waiting.push(event)
    wake()
  }, reader.signal).finally(() => {
    reader.clear()
    ended = true
    wake()
  })
  report.catch(() => {}) // whoever reads the events is told at their end

  async function* events(): AsyncGenerator<RunEvent> {
    try {
      for (;;) {
        for (let event = waiting.shift(); event; event = waiting.shift()) yield event
        if (ended) break
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      await report
    } finally {
      if (!ended) reader.abort(new DOMException('The reader of the events left.', 'AbortError'))
    }
  }
  return { report, [Symbol.asyncIterator]: events }
}
