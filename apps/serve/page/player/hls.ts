const type = 'application/vnd.apple.mpegurl'

// Pieces into the player: by the browser itself where it can, else by hls.js, which is loaded only then. Gives what ends it.
export function playPieces(
  element: HTMLVideoElement,
  address: string,
  { byScript, failed }: { byScript: boolean; failed: () => void },
): () => void {
  if (!byScript && element.canPlayType(type) !== '') {
    element.src = address
    return () => {}
  }
  let end = () => {}
  let closed = false
  import('hls.js/light').then(({ default: Hls }) => {
    if (closed) return
    // The policy of the page allows no worker made of text.
    const hls = new Hls({ enableWorker: false, maxBufferLength: 18 })
    hls.on(Hls.Events.ERROR, (_, { fatal }) => {
      if (fatal) failed()
    })
    hls.loadSource(address)
    hls.attachMedia(element)
    end = () => hls.destroy()
  }, failed)
  return () => {
    closed = true
    end()
  }
}
