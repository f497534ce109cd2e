import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

// A dialog of the browser itself: it holds the focus, Escape closes it if it can be closed, and the focus goes back to where it was.
export function Dialog({ title, close, children }: { title: string; close?(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  return (
    <dialog ref={dialog} aria-label={title} onClose={close ?? (() => dialog.current?.showModal())}>
      <div class="dialog">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
