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
