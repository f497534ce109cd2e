import type { Closable } from '../../src/core/backend.ts'

const idle = 180 // seconds without work after which a model leaves the memory

export interface ClosedWhenIdle<Thing> {
  use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

// Something that is opened when it is first used, shared by all who use it, and closed while nobody does for long. What has
// ended by itself, as a thread that ran out of memory, is opened anew.
export function closeWhenIdle<Thing extends Closable & { ended?(): boolean }>(
  open: () => Promise<Thing>,
  idleSeconds = idle,
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
      const thing = await current
      if (!thing.ended?.()) return thing
      await thing.close?.()
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
