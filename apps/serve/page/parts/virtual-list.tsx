import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface VirtualListProps {
  label: string
  count: number
  rowHeight: number
  show: ReadonlySignal<number | undefined> // the row to be brought in sight, when it changes
  touched(): void // the user scrolls
  row(at: number, seen: { first: number; last: number }): ComponentChildren // from `first` on, before `last`
}

const beyond = 6 // rows kept above and below what is seen

// A list of any length: only what is in sight is on the page. Its rows are of one height.
export function VirtualList({ label, count, rowHeight, show, touched, row }: VirtualListProps) {
  const list = useRef<HTMLDivElement>(null)
  const seen = useSignal({ top: 0, height: 400 })
  useEffect(() => {
    const element = list.current
    if (!element) return
    const look = () => {
      const { scrollTop, clientHeight } = element
      if (scrollTop !== seen.peek().top || clientHeight !== seen.peek().height)
        seen.value = { top: scrollTop, height: clientHeight }
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [seen])
  useSignalEffect(() => {
    const at = show.value
    const element = list.current
    if (at === undefined || !element) return
    const top = at * rowHeight
    const { scrollTop, clientHeight } = element
    if (top < scrollTop || top + rowHeight > scrollTop + clientHeight)
      element.scrollTop = Math.max(0, top - clientHeight / 3)
  })
  const first = Math.max(0, Math.floor(seen.value.top / rowHeight) - beyond)
  const last = Math.min(count, Math.ceil((seen.value.top + seen.value.height) / rowHeight) + beyond)
  return (
    <div ref={list} class="virtual-list" onWheel={touched} onTouchMove={touched}>
      <ul style={{ height: `${count * rowHeight}px` }} aria-label={label}>
        {Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at).map(at => (
          <li
            key={at}
            style={{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={count}
            aria-posinset={at + 1}
          >
            {row(at, { first, last })}
          </li>
        ))}
      </ul>
    </div>
  )
}
