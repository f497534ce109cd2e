import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'

interface Page<Item> {
  items: Item[]
  cursor?: string | undefined
}

export interface Pages<Item> {
  items: ReadonlySignal<readonly Item[]>
  state: ReadonlySignal<'loading' | 'ready' | 'all' | Error> // ready: there are more
  more(): void
  again(): void
}

// A long list, page after page. It begins anew when a signal that `read` reads before its first await changes.
export function usePages<Item>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
): Pages<Item> {
  const items = useSignal<readonly Item[]>([])
  const state = useSignal<'loading' | 'ready' | 'all' | Error>('loading')
  const next = useSignal<(() => void) | undefined>(undefined)
  const round = useSignal(0)
  useSignalEffect(() => {
    round.value
    const leave = new AbortController()
    const take = (cursor: string | undefined) => {
      read(cursor, leave.signal).then(
        page => {
          if (leave.signal.aborted) return
          items.value = cursor === undefined ? page.items : [...items.peek(), ...page.items]
          state.value = page.cursor === undefined ? 'all' : 'ready'
          next.value = () => {
            state.value = 'loading'
            take(page.cursor)
          }
        },
        error => {
          if (leave.signal.aborted) return
          state.value = error
          next.value = () => take(cursor)
        },
      )
    }
    state.value = 'loading'
    take(undefined)
    return () => leave.abort()
  })
  const more = () => {
    if (state.peek() === 'ready' || state.peek() instanceof Error) next.peek()?.()
  }
  return { items, state, more, again: () => void round.value++ }
}
