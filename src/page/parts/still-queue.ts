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
export function loadInView(image: HTMLImageElement, address: string): () => void {
  const wanted = { image, address, begun: () => seen.disconnect() }
  const seen = new IntersectionObserver(
    entries => {
      if (entries.at(-1)?.isIntersecting) waiting.add(wanted)
      else waiting.delete(wanted)
      next()
    },
    { rootMargin: '200px' },
  )
  seen.observe(image)
  return () => {
    seen.disconnect()
    waiting.delete(wanted)
  }
}

function next(): void {
  for (const wanted of waiting) {
    if (loading >= atOnce) return
    waiting.delete(wanted)
    wanted.begun()
    loading++
    void load(wanted).finally(() => {
      loading--
      next()
    })
  }
}

function load({ image, address }: Wanted): Promise<void> {
  return new Promise(resolve => {
    const done = () => resolve()
    image.addEventListener('load', done, { once: true })
    image.addEventListener('error', done, { once: true })
    image.src = address
  })
}
