import type { Coverage, Hit, Video } from './video.ts'

// A moment found in one of many videos.
export interface LibraryHit extends Hit {
  video: Video
}

// A known video that a search could not look into.
export interface NotSearched {
  id: string
  video?: Video // absent where what is known of it cannot be read
  why: string
  mend: string
}

export interface LibrarySearch {
  hits: LibraryHit[] // best first, whichever video they are from
  searched: { video: Video; coverage: Coverage }[]
  notSearched: NotSearched[]
}
