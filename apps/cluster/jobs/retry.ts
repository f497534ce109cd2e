import type { AttemptKind } from '../data/catalogue/attempts.ts'

// What broke in an attempt. retryable, backend: something outside. input: this video or these settings. crash: the process of the slot.
export type JobFault = 'retryable' | 'backend' | 'input' | 'error' | 'storage' | 'crash'

// What is to follow.
export type Next =
  | { do: 'retry'; after: number } // seconds
  | { do: 'give back' } // the attempt does not count
  | { do: 'alone' } // once more on this machine, in a fresh process, with nothing beside it
  | { do: 'fail'; kind: 'backend' | 'input' | 'error' | 'poison' }

type Counts = Partial<Record<AttemptKind, number>>

const maxRetries = 5
const firstPause = 5 // seconds before the second attempt; each further one waits four times as long

// `before`: how the earlier attempts of the job ended. `random` spreads those that failed together.
export function nextAfter(fault: JobFault, before: Counts, random = Math.random()): Next {
  const { retry = 0, crashed = 0 } = before
  if (fault === 'storage') return { do: 'give back' }
  if (fault === 'crash') return crashed >= 1 ? { do: 'fail', kind: 'poison' } : { do: 'alone' }
  if (fault !== 'retryable') return { do: 'fail', kind: fault }
  return retry >= maxRetries
    ? { do: 'fail', kind: 'backend' }
    : { do: 'retry', after: firstPause * 4 ** retry * (0.5 + random) }
}

// A job that was lost with its worker so often is not tried once more.
export function isPoison({ lost = 0 }: Counts): boolean {
  return lost >= 3
}
