import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { api } from '../api.ts'
import { onLive } from '../live.ts'

interface Videos {
  list: ReadonlySignal<readonly VideoEntry[]> // what has come so far
  whole: ReadonlySignal<boolean> // there are no more
  error: ReadonlySignal<Error | undefined>
  again(): void
}

// The videos of the library, page by page; one whose job begins or ends is asked for again.
export function useVideos(): Videos {
  const list = useSignal<readonly VideoEntry[]>([])
  const whole = useSignal(false)
  const error = useSignal<Error | undefined>(undefined)
  const round = useSignal(0)
  useSignalEffect(() => {
    const first = round.value === 0
    const leave = new AbortController()
    readAll(leave.signal, videos => {
      if (first) list.value = videos
    }).then(
      videos => {
        list.value = videos
        error.value = undefined
        whole.value = true
      },
      reason => {
        if (!leave.signal.aborted) error.value = reason
      },
    )
    return () => leave.abort()
  })
  useEffect(
    () =>
      onLive(event => {
        if (event.kind !== 'job' || event.job.state === 'waiting') return
        const { id } = event.job.video
        api('GET /videos/:video', { params: { video: id } }).then(
          entry => {
            if (!list.value.some(one => one.id === id)) round.value++
            else list.value = list.value.map(one => (one.id === id ? entry : one))
          },
          () => {}, // it was forgotten meanwhile
        )
      }),
    [],
  )
  return { list, whole, error, again: () => void round.value++ }
}

async function readAll(signal: AbortSignal, came: (videos: readonly VideoEntry[]) => void): Promise<VideoEntry[]> {
  const all: VideoEntry[] = []
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page: { videos: VideoEntry[]; cursor?: string } = await api('GET /videos', { query: { cursor }, signal })
    all.push(...page.videos)
    cursor = page.cursor
    if (cursor !== undefined) came([...all])
  }
  return all
}
