import {
  BackendError,
  errorText,
  InputError,
  LongtakeError,
  StorageError,
  UsageError,
} from '../../../src/core/errors.ts'
import { resourceFault } from '../../../src/core/machine/resource-fault.ts'
import { inOneLine } from '../../../src/runtime/index/stage-runner.ts'
import type { Counted } from '../observe/counters.ts'
import { storeFault } from '../store/of-store.ts'
import type { FailedAs, FromSlot, SlotOpening, SlotTask, TaskEnding, ToSlot } from '../task/messages.ts'
import { openWorkshop } from './workshop.ts'

// The process of one slot: one job at a time, with what it has opened kept open. It ends with its supervisor, however that ends.

process.on('disconnect', () => process.exit(0))

// Where all processes of a service are ended at once, the supervisor decides; what breaks here then is not the job's fault.
let signalled = Number.NEGATIVE_INFINITY
const isEnding = () => performance.now() - signalled < 10_000
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const)
  process.on(signal, () => {
    signalled = performance.now()
  })

const closing = new AbortController()
let stop = new AbortController()
let opening: SlotOpening | undefined
let workshop: ReturnType<typeof openWorkshop> | undefined

process.on('message', (message: ToSlot) => {
  if (message.type === 'open') {
    opening = message.opening
    opened().catch(() => {}) // the first job says why
  } else if (message.type === 'stop') stop.abort(new Error('The worker stops this job.'))
  else void runTask(message.task)
})

// Where the database or the store was away, or refuses this machine, the next job tries again.
function opened(): ReturnType<typeof openWorkshop> {
  if (!opening) throw new Error('A job came before the settings.')
  workshop ??= openWorkshop(opening, { signal: closing.signal, say, count }).catch(error => {
    workshop = undefined
    throw error
  })
  return workshop
}

async function runTask(task: SlotTask): Promise<void> {
  stop = new AbortController()
  const { signal } = stop
  let ending: TaskEnding
  try {
    ending = await (await storeFault(opened())).run(task, progress(), signal)
  } catch (error) {
    ending = signal.aborted || isEnding() ? { kind: 'stopped' } : failed(error)
  }
  tell({ type: 'ended', ending, megabytes: process.memoryUsage.rss() / 1e6 })
}

const often = 1000 // milliseconds between two reports

function progress() {
  let last = 0
  return (text: string, done: number, total: number) => {
    const now = performance.now()
    if (now - last < often) return
    last = now
    tell({ type: 'progress', text, done, total })
  }
}

function failed(thrown: unknown): TaskEnding {
  const error = thrown instanceof LongtakeError ? thrown : (resourceFault(thrown) ?? thrown)
  if (!(error instanceof LongtakeError))
    return {
      kind: 'failed',
      as: 'error',
      message: error instanceof Error ? (error.stack ?? errorText(error)) : errorText(error),
    }
  return { kind: 'failed', as: classifyError(error), message: inOneLine(error) }
}

function classifyError(error: LongtakeError): FailedAs {
  if (error instanceof BackendError) return error.retryable ? 'retryable' : 'backend'
  if (error instanceof StorageError) return 'storage'
  return error instanceof InputError || error instanceof UsageError ? 'input' : 'error'
}

function tell(message: FromSlot): void {
  process.send?.(message, () => {}) // that nobody hears it is told by the end of the channel
}

function count(counted: Counted): void {
  tell({ type: 'counted', counted })
}

function say(line: string): void {
  tell({ type: 'said', line })
}
