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
  // The close event comes later than Escape: what is pressed until then must meet no dialog that is about to go.
  const cancel = (event: Event) => {
    if (!close) return
    event.preventDefault()
    close()
  }
  return (
    <dialog ref={dialog} aria-label={title} onCancel={cancel} onClose={close ?? (() => dialog.current?.showModal())}>
      <div class="dialog">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
