import { linked } from '../../../../src/core/basics/signals.ts'

export interface SharedTask<T> {
  ask(key: string, make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  ahead(key: string, make: (signal: AbortSignal) => Promise<T>): void
  dropAhead(isWanted: (key: string) => boolean): void
}

interface Job<T> {
  key: string
  make(signal: AbortSignal): Promise<T>
  waiting: number // who asked and has not left
  begun?: AbortController
  done: Promise<T>
  settle(result: Promise<T>): void
}

// So much at a time. What somebody waits for goes first, what is made ahead gives way to it, and what nobody waits for any more ends.
// Who asks for what is under way already gets the same.
export function sharedWork<T>(max: number, outer: AbortSignal): SharedTask<T> {
  const jobs = new Map<string, Job<T>>()
  const begun = () => [...jobs.values()].filter(job => job.begun)

  const end = (job: Job<T>) => {
    if (jobs.get(job.key) === job) jobs.delete(job.key)
    if (job.begun) job.begun.abort()
    else job.settle(Promise.reject(new DOMException('Nobody waits for it.', 'AbortError')))
  }
  const begin = (job: Job<T>) => {
    const controller = new AbortController()
    const link = linked(controller.signal, outer)
    job.begun = controller
    const result = job.make(link.signal).finally(() => {
      link.clear()
      if (jobs.get(job.key) === job) jobs.delete(job.key)
      next()
    })
    job.settle(result)
  }
  const next = () => {
    const waiting = [...jobs.values()].filter(job => !job.begun)
    const awaited = waiting.filter(job => job.waiting > 0)
    for (const job of [...awaited, ...waiting.filter(one => one.waiting === 0)]) {
      if (begun().length >= max) {
        const [idle] = begun().filter(one => one.waiting === 0)
        if (!idle || job.waiting === 0) return
        end(idle)
      }
      begin(job)
    }
  }
  const enter = (key: string, make: Job<T>['make']): Job<T> => {
    const runningJob = jobs.get(key)
    if (runningJob) return runningJob
    let settle: Job<T>['settle'] = () => {}
    const outcome = new Promise<T>(resolve => {
      settle = resolve
    })
    outcome.catch(() => {}) // who waits is told
    const job = { key, make, waiting: 0, done: outcome, settle }
    jobs.set(key, job)
    return job
  }

  return {
    async ask(key, make, signal) {
      signal.throwIfAborted()
      const job = enter(key, make)
      job.waiting++
      next()
      let leave = () => {}
      const whenAborted = new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason)
        signal.addEventListener('abort', leave, { once: true })
      })
      try {
        return await Promise.race([job.done, whenAborted])
      } finally {
        signal.removeEventListener('abort', leave)
        job.waiting--
        if (job.waiting === 0 && signal.aborted) {
          end(job)
          next()
        }
      }
    },
    ahead(key, make) {
      enter(key, make)
      next()
    },
    dropAhead(isWanted) {
      for (const job of [...jobs.values()]) if (job.waiting === 0 && !isWanted(job.key)) end(job)
      next()
    },
  }
}
