import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { visibleText } from '../../../../src/core/words/visible-text.ts'
import { api } from '../api.ts'
import { liveConnection, onLive } from '../live.ts'
import { useLoad } from '../load.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { OpenedVideo } from '../video/opened.tsx'
import type { ViewProps } from '../view.ts'

export default function VideoPage({ params }: ViewProps) {
  const id = params.video ?? ''
  const video = useSignal<VideoDetails | undefined>(undefined)
  const { loaded, again } = useLoad(signal => api('GET /videos/:video', { params: { video: id }, signal }))
  useSignalEffect(() => {
    const { value } = loaded.value
    if (!value) return
    video.value = value
    document.title = `${visibleText(value.name)} · longtake`
  })
  useNews(id, again)
  const { state, error } = loaded.value
  if (!video.value)
    return (
      <>
        <h1 class={state === 'failed' ? undefined : 'hidden-text'}>Video</h1>
        {state === 'failed' ? <ProblemNotice error={error} again={again} /> : <p class="loading">Loading…</p>}
      </>
    )
  return <OpenedVideo key={id} video={video as Signal<VideoDetails>} />
}

// Its state, index and signed paths change with its jobs, and when the server was started again.
function useNews(id: string, again: () => void): void {
  useEffect(
    () =>
      onLive(event => {
        if (event.kind === 'job' && event.job.video.id === id) again()
        if (event.kind === 'event' && event.event.type === 'run' && event.event.video.id === id) again()
      }),
    [id],
  )
  const wasLost = useSignal(false)
  useSignalEffect(() => {
    const now = liveConnection.value
    if (now === 'open' && wasLost.peek()) again()
    wasLost.value = now === 'lost'
  })
}
