import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'

type Loaded<Value> =
  | { state: 'loading'; value?: undefined; error?: undefined }
  | { state: 'ready'; value: Value; error?: undefined }
  | { state: 'failed'; value?: undefined; error: Error }

// What `work` gives; asked for again when a signal that it reads before its first await changes, or by `again`. The old value
// stays to be seen meanwhile, and an answer that comes too late is dropped.
export function useLoad<Value>(work: (signal: AbortSignal) => Promise<Value>): {
  loaded: ReadonlySignal<Loaded<Value>>
  again(): void
} {
  const loaded = useSignal<Loaded<Value>>({ state: 'loading' })
  const round = useSignal(0)
  useSignalEffect(() => {
    round.value
    const leave = new AbortController()
    work(leave.signal).then(
      value => {
        if (!leave.signal.aborted) loaded.value = { state: 'ready', value }
      },
      error => {
        if (!leave.signal.aborted) loaded.value = { state: 'failed', error }
      },
    )
    return () => leave.abort()
  })
  return { loaded: useComputed(() => loaded.value), again: () => void round.value++ }
}
