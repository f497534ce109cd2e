import { useEffect, useRef } from 'preact/hooks'

// A kept frame, loaded when it is about to be seen. It shows nothing that is not said beside it.
export function StillImage({ base, second }: { base: string; second: number }) {
  const image = useRef<HTMLImageElement>(null)
  const address = `${base}${Math.max(0, second).toFixed(2)}.jpg`
  useEffect(() => (image.current ? loadInView(image.current, address) : undefined), [address])
  return <img ref={image} alt="" decoding="async" />
}

interface Wanted {
  image: HTMLImageElement
  address: string
  begun(): void
}

// A few pictures at a time, as a browser opens six connections to a server for all that its tabs load.
const atOnce = 3
const waiting = new Set<Wanted>()
let loading = 0

// Loads the picture when the element is about to be seen; gives back how to leave it.
function loadInView(image: HTMLImageElement, address: string): () => void {
  const request = { image, address, begun: () => seen.disconnect() }
  const seen = new IntersectionObserver(
    entries => {
      if (entries.at(-1)?.isIntersecting) waiting.add(request)
      else waiting.delete(request)
      next()
    },
    { rootMargin: '200px' },
  )
  seen.observe(image)
  return () => {
    seen.disconnect()
    waiting.delete(request)
  }
}

function next(): void {
  for (const request of waiting) {
    if (loading >= atOnce) return
    waiting.delete(request)
    request.begun()
    loading++
    void load(request).finally(() => {
      loading--
      next()
    })
  }
}

function load({ image, address }: Wanted): Promise<void> {
  return new Promise(resolve => {
    const finish = () => resolve()
    image.addEventListener('load', finish, { once: true })
    image.addEventListener('error', finish, { once: true })
    image.src = address
  })
}
