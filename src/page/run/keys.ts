import { useEffect } from 'preact/hooks'

// Keys of a whole view. They are left alone where somebody writes, chooses or has a control of their own under the hand.
export function useViewKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog, [role="slider"]'))
        return
      const run = keys[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
