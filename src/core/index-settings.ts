// How a video is indexed. Defaults and what each means: src/config/schema.ts.
export interface IndexSettings {
  level: 'thorough' | 'balanced' | 'quick'
  stillsPerSecond: number
  stillWidth: number
  segments: number | 'auto'
  deepen: boolean
  decoder: 'auto' | 'software' | 'cuda'
  maxHours: number
  vectors: 'hnsw' | 'exact'
  tracks: { picture: boolean; text: boolean; speech: boolean; sound: boolean }
  subtitles: 'use' | 'ignore'
  trustMtime: boolean
}
