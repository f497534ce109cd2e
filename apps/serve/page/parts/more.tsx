import { useEffect, useRef } from 'preact/hooks'
import { ProblemNotice } from './problem.tsx'

// The end of a long list: the next page comes when it is scrolled near, or by the button.
export function More({ state, more }: { state: 'loading' | 'ready' | 'all' | Error; more(): void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (state !== 'ready' || !end.current) return
    const watch = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) more()
      },
      { rootMargin: '600px' },
    )
    watch.observe(end.current)
    return () => watch.disconnect()
  })
  if (state instanceof Error) return <ProblemNotice error={state} again={more} />
  return (
    <div class="list-end" ref={end}>
      {state === 'loading' && <p class="dim small">Loading…</p>}
      {state === 'ready' && (
        <button type="button" class="quiet" onClick={more}>
          Show more
        </button>
      )}
    </div>
  )
}
