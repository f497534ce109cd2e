import type { Video } from './video.ts'

// The graph over many videos, and what stands for the video of a question that is asked over all of them.
export const libraryGraph = 'library'

// What is said of one of many videos.
export type KnownVideo = Pick<Video, 'id' | 'name' | 'path' | 'duration' | 'address'>

export function toKnownVideo({ id, name, path, duration, address }: KnownVideo): KnownVideo {
  return { id, name, path, duration, ...(address !== undefined && { address }) }
}

// A known video that could not be searched or asked in.
export interface NotSearched {
  id: string
  video?: Video // absent where what is known of it cannot be read
  why: string
  mend: string
}

// A video that a search over all of them found, and the rows of it that fit.
export interface FoundVideo {
  video: KnownVideo
  score: number // 0..1
  rows: string[] // the best first
}
