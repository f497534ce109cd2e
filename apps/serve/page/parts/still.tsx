import { useEffect, useRef } from 'preact/hooks'
import { loadInView } from './still-queue.ts'

// A kept frame, loaded when it is about to be seen. It shows nothing that is not said beside it.
export function StillImage({ base, second }: { base: string; second: number }) {
  const image = useRef<HTMLImageElement>(null)
  const address = `${base}${Math.max(0, second).toFixed(2)}.jpg`
  useEffect(() => (image.current ? loadInView(image.current, address) : undefined), [address])
  return <img ref={image} alt="" decoding="async" />
}
