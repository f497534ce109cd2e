import { type Signal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../api.ts'
import { type PlayerClock, spanOfText, textOfSpan } from '../player/clock.ts'
import { currentRoute, setQuery } from '../router.ts'
import type { ShownRow } from '../rows/row-source.ts'

// Moment and row are in the address: ?t=754-791&row=ID. Gives what jumps to a row.
export function useMoment(
  video: string,
  clock: PlayerClock,
  lit: Signal<ShownRow | undefined>,
): (row: ShownRow) => void {
  const here = useRef('') // what of the address the clock knows already
  const ours = useRef(0) // the jump that the address asked for
  useSignalEffect(() => {
    const { query } = currentRoute.value
    const text = `${query.get('t')} ${query.get('row')}`
    if (text === here.current) return
    here.current = text
    const moment = spanOfText(query.get('t'))
    const seek = (to: Parameters<PlayerClock['seek']>[0]) => {
      ours.current = clock.sought.peek() + 1
      clock.seek(to)
    }
    if (moment !== undefined) seek(moment)
    const id = query.get('row')
    if (id === null) {
      lit.value = undefined
      return
    }
    if (lit.peek()?.id === id) return
    const leave = new AbortController()
    api('GET /videos/:video/rows/:row', { params: { video, row: id }, signal: leave.signal }).then(
      row => {
        lit.value = row
        if (moment === undefined) seek(row.span)
      },
      () => {}, // an index made again has other rows: the moment holds
    )
    return () => leave.abort()
  })
  // What is looked at when somebody copies the address.
  useEffect(() => {
    const write = (changes: Record<string, string | undefined>) => {
      const query = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(changes))
        if (value === undefined) query.delete(name)
        else query.set(name, value)
      here.current = `${query.get('t')} ${query.get('row')}`
      setQuery(changes)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const unlisten = clock.sought.subscribe(count => {
      if (count === 0 || count === ours.current) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        const span = clock.marked.peek() ?? { start: clock.time.peek(), end: 0 }
        const isLit = lit.peek()?.span.start === span.start
        write({ t: textOfSpan(span), row: isLit ? lit.peek()?.id : undefined })
      }, 300)
    })
    return () => {
      clearTimeout(timer)
      unlisten()
    }
  }, [clock, lit])
  return row => {
    lit.value = row
    clock.seek(row.span)
  }
}
