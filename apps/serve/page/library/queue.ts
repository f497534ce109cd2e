import { signal } from '@preact/signals'
import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { ApiError, api } from '../api.ts'
import type { NewFile } from './folders.ts'

export type IndexWish = { video: Pick<VideoEntry, 'id' | 'name'> } | { file: NewFile }

// What is being handed to the server to be indexed; it goes on while other views are open.
export const handing = signal<{ done: number; of: number; failed: { name: string; why: string }[] } | undefined>(
  undefined,
)

let stopped = new AbortController()

export function stopHanding(): void {
  stopped.abort()
}

// Files are added to the library first. Where the queue of the server is full, it waits until there is room.
export async function queueIndexing(wishes: readonly IndexWish[], told: () => void): Promise<void> {
  stopped = new AbortController()
  const { signal: stop } = stopped
  const failed: { name: string; why: string }[] = []
  for (const [done, wish] of wishes.entries()) {
    handing.value = { done, of: wishes.length, failed: [...failed] }
    await handOver(wish, stop).catch(error => {
      if (!stop.aborted) failed.push({ name: nameWish(wish), why: error.message })
    })
    if (stop.aborted) break
    told()
  }
  handing.value = failed.length > 0 ? { done: wishes.length, of: wishes.length, failed } : undefined
}

function nameWish(wish: IndexWish): string {
  return 'video' in wish ? wish.video.name : wish.file.name
}

async function handOver(wish: IndexWish, stop: AbortSignal): Promise<void> {
  const video = 'video' in wish ? wish.video.id : await add(wish.file, stop)
  for (;;) {
    try {
      await api('POST /videos/:video/index', { params: { video }, signal: stop })
      return
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'queue_full')) throw error
      await pause(2000, stop)
    }
  }
}

export async function add({ folder, path }: NewFile, signal?: AbortSignal): Promise<string> {
  const { id } = await api('POST /videos', { body: { folder, path }, signal })
  return id
}

function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    stop.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(stop.reason)
      },
      { once: true },
    )
  })
}
