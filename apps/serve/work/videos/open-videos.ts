import type { LocalRuntime } from '../../../../src/runtime/runtime.ts'

type Opened = Awaited<ReturnType<LocalRuntime['questions']['openVideo']>>

export interface ServedVideos {
  // `version`: of its index and its place now. One that was opened in another version is opened anew.
  use<T>(id: string, version: string, work: (video: Opened) => Promise<T>): Promise<T>
  isOpen(id: string, version: string): boolean
  forget(id: string): void // it is opened anew when it is next needed
  close(): Promise<void>
}

const usual = 8

interface Entry {
  version: string
  opened: Promise<Opened>
  users: number
  left: boolean // to be closed by its last user
}

// The indexes that were used last stay open. One that somebody uses is never closed.
export function openVideos(open: (id: string) => Promise<Opened>, max = usual): ServedVideos {
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<unknown>>()

  const closeUnused = (entry: Entry) => {
    if (!entry.left || entry.users > 0) return
    const closed = entry.opened.then(video => video.close()).catch(() => {}) // who opened it has the error
    closing.add(closed)
    closed.then(() => closing.delete(closed))
  }
  const leave = (id: string) => {
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    entry.left = true
    closeUnused(entry)
  }
  const isOpen = (id: string, version: string) => entries.get(id)?.version === version
  const enter = (id: string, version: string): Entry => {
    if (!isOpen(id, version)) leave(id)
    const entry = entries.get(id) ?? { version, opened: open(id), users: 0, left: false }
    entries.delete(id)
    entries.set(id, entry)
    entry.users++
    for (const [other, { users }] of entries) if (entries.size > max && users === 0) leave(other)
    return entry
  }

  return {
    async use(id, version, work) {
      const entry = enter(id, version)
      try {
        const video = await entry.opened.catch(error => {
          if (entries.get(id) === entry) leave(id)
          throw error
        })
        return await work(video)
      } finally {
        entry.users--
        closeUnused(entry)
      }
    },
    isOpen,
    forget: leave,
    async close() {
      for (const id of [...entries.keys()]) leave(id)
      await Promise.all(closing)
    },
  }
}
