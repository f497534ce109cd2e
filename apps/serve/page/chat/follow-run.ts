import { type ReadonlySignal, signal } from '@preact/signals'
import type { RunEvent } from '../../../../src/core/agent.ts'
import { api } from '../api.ts'
import { liveJobs, onLive } from '../live.ts'
import { emptyFilm, type Film, filmWith } from './film.ts'

const pause = 60 // milliseconds in which news are gathered

// The film of a run from its trace. What is live says only that there is more to read: nothing is lost and nothing comes twice,
// however often the connection breaks.
export function followRun(run: string): { film: ReadonlySignal<Film>; close(): void } {
  const film = signal(emptyFilm)
  const leave = new AbortController()
  let after = 0
  let reading = false
  let news = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = async () => {
    if (reading) return
    reading = true
    while (news && !leave.signal.aborted) {
      news = false
      const trace = await api('GET /runs/:run/trace', {
        params: { run },
        query: { after },
        signal: leave.signal,
      }).catch(() => undefined)
      if (!trace) break
      after += trace.events.length
      if (trace.more) news = true
      if (trace.events.length > 0) film.value = filmWith(film.value, trace.events as unknown as RunEvent[])
    }
    reading = false
  }
  const unlisten = onLive(event => {
    const job = event.kind === 'job' ? event.job : liveJobs.peek().get(event.job)
    if (job?.run !== run) return
    news = true
    timer ??= setTimeout(() => {
      timer = undefined
      void read()
    }, pause)
  })
  void read()
  return {
    film,
    close() {
      leave.abort()
      unlisten()
      clearTimeout(timer)
    },
  }
}
