// Where the data of a benchmark are, under which terms, and which of their files are what. What nobody of us has seen is said to be so.
export interface DataGuide {
  dataset: string // "organisation/name" on the hub
  revision?: string // that this was written from
  terms: string // gate and licence
  videos: string // how many there are, and whether they are handed out
  elsewhere?: string // other places with the same files
  parts: Partial<Record<DataPart, GuidePart>>
}

export const dataParts = ['annotations', 'subtitles', 'videos', 'clips'] as const
export type DataPart = (typeof dataParts)[number]

interface GuidePart {
  files: string[] // paths with *, of all splits
  ofSplit?: Record<string, string[]>
  note?: string // what is to be known before it is fetched
}

// Pieces of one archive, in which a video may lie on the border of two.
export const pieces = 'the files are pieces of one archive: only all of them together can be read'
