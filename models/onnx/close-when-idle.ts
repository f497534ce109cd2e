import type { Closable } from '../../src/core/backend.ts'

const maxIdle = 180 // seconds

export interface ClosedWhenIdle<Thing> {
  use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

// A shared resource that is opened at first use and closed when idle for long. One that has ended by itself, as a thread that ran
// out of memory, is opened again.
export function closeWhenIdle<Thing extends Closable & { ended?(): boolean }>(
  open: () => Promise<Thing>,
  idleSeconds = maxIdle,
): ClosedWhenIdle<Thing> {
  let opened: Promise<Thing> | undefined
  let timer: NodeJS.Timeout | undefined
  let users = 0

  const close = async () => {
    clearTimeout(timer)
    const closing = opened
    opened = undefined
    await closing?.then(
      thing => thing.close?.(),
      () => {},
    )
  }
  const whole = async (): Promise<Thing> => {
    opened ??= open()
    const current = opened
    try {
      const value = await current
      if (!value.ended?.()) return value
      await value.close?.()
    } catch (error) {
      if (opened === current) opened = undefined
      throw error
    }
    if (opened === current) opened = undefined
    return whole()
  }
  return {
    close,
    async use(work) {
      users++
      clearTimeout(timer)
      try {
        return await work(await whole())
      } finally {
        users--
        if (users === 0) timer = setTimeout(close, idleSeconds * 1000).unref()
      }
    },
  }
}
