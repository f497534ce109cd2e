import type { Closable } from '../../src/core/backend.ts'

const idle = 180 // seconds without work after which a model leaves the memory

export interface WhileUsed<Thing> {
  use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

// Something that is opened when it is first used, shared by all who use it, and closed while nobody does for long.
export function whileUsed<Thing extends Closable>(open: () => Promise<Thing>, idleSeconds = idle): WhileUsed<Thing> {
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
  return {
    close,
    async use(work) {
      users++
      clearTimeout(timer)
      try {
        opened ??= open()
        opened.catch(() => {
          opened = undefined
        })
        return await work(await opened)
      } finally {
        users--
        if (users === 0) timer = setTimeout(close, idleSeconds * 1000).unref()
      }
    },
  }
}
