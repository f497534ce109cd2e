// How the file is played: as it is, or as pieces, read by the browser or by hls.js.
export type Way = 'direct' | 'hls' | 'script'

// After a failure.
export const nextWay: Partial<Record<Way, Way>> = { direct: 'hls', hls: 'script' }

export interface PlaybackSources {
  direct: string
  hls: string
  says: 'direct' | 'hls' // by what the server knows of container and codecs
  type: string // with its codecs, for canPlayType
}

// What to try first. A browser that says no is believed; one that says maybe shows by playing.
export function firstWay({ says, type }: PlaybackSources, canPlay: (type: string) => string): Way {
  return says === 'hls' || canPlay(type) === '' ? 'hls' : 'direct'
}

const hlsType = 'application/vnd.apple.mpegurl'

// Pieces into the player: by the browser itself where it can, else by hls.js, which is loaded only then. Gives what ends it.
export function playPieces(
  element: HTMLVideoElement,
  address: string,
  { byScript, failed }: { byScript: boolean; failed: () => void },
): () => void {
  if (!byScript && element.canPlayType(hlsType) !== '') {
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
