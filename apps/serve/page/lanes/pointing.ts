import type { Signal } from '@preact/signals'
import type { TimelineLane } from './lane-list.ts'

export interface Hover {
  x: number
  time: number
  lane: TimelineLane | undefined
}

interface Pointed {
  at(place: { x: number; y: number }): { time: number; lane: TimelineLane | undefined }
  length(): number // seconds of the window
  zoom(factor: number, at: number): void
  pan(seconds: number): void
  press(at: { time: number; lane: TimelineLane | undefined }): void
  hover: Signal<Hover | undefined>
}

const still = 4 // pixels that a press may move

// Wheel zooms around the pointer, a drag pans, two fingers zoom, a press seeks.
export function pointing(element: HTMLElement, work: Pointed): () => void {
  const down = new Map<number, { x: number; y: number }>()
  let moved = 0
  const placeOf = (event: MouseEvent) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const perPixel = () => work.length() / Math.max(1, element.clientWidth)

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) return work.pan(sideways * perPixel())
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    work.zoom(Math.exp(event.deltaY * lines * 0.002), work.at(placeOf(event)).time)
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    element.setPointerCapture(event.pointerId)
    if (down.size === 0) moved = 0
    down.set(event.pointerId, placeOf(event))
  }
  const move = (event: PointerEvent) => {
    const position = placeOf(event)
    const before = down.get(event.pointerId)
    if (!before) {
      work.hover.value = { x: position.x, ...work.at(position) }
      return
    }
    const [one, two] = [...down.values()]
    moved += Math.abs(position.x - before.x)
    down.set(event.pointerId, position)
    if (one && two) {
      const [first, second] = [...down.values()]
      if (!first || !second) return
      const factor = Math.max(1, Math.abs(one.x - two.x)) / Math.max(1, Math.abs(first.x - second.x))
      work.zoom(factor, work.at({ x: (first.x + second.x) / 2, y: 0 }).time)
    } else if (moved > still) {
      work.hover.value = undefined
      work.pan((before.x - position.x) * perPixel())
    }
  }
  const release = (event: PointerEvent) => {
    if (!down.delete(event.pointerId) || event.type === 'pointercancel') return
    if (down.size === 0 && moved <= still) work.press(work.at(placeOf(event)))
  }
  const leave = () => {
    work.hover.value = undefined
  }
  element.addEventListener('wheel', wheel, { passive: false })
  element.addEventListener('pointerdown', press)
  element.addEventListener('pointermove', move)
  element.addEventListener('pointerup', release)
  element.addEventListener('pointercancel', release)
  element.addEventListener('pointerleave', leave)
  return () => {
    element.removeEventListener('wheel', wheel)
    element.removeEventListener('pointerdown', press)
    element.removeEventListener('pointermove', move)
    element.removeEventListener('pointerup', release)
    element.removeEventListener('pointercancel', release)
    element.removeEventListener('pointerleave', leave)
  }
}
