// How the file is played: as it is, or as pieces that every browser plays.
export type Way = 'direct' | 'hls'

export interface Sources {
  direct: string
  hls?: string // in pieces that the server makes
  says?: Way // what the server knows of container and codecs
  type?: string // with its codecs, for canPlayType
}

// What to try first. A browser that says no is believed; one that says maybe shows by playing.
export function firstWay(sources: Sources, canPlay: (type: string) => string, wanted?: Way): Way {
  if (sources.hls === undefined) return 'direct'
  if (wanted !== undefined) return wanted
  if (sources.says === 'hls') return 'hls'
  return sources.type !== undefined && canPlay(sources.type) === '' ? 'hls' : 'direct'
}

// After a failure: pieces, where they were not what failed.
export function nextWay(sources: Sources, failed: Way): Way | undefined {
  return failed === 'direct' && sources.hls !== undefined ? 'hls' : undefined
}
