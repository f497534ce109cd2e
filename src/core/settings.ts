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

// What a settings file that was only found may set: "x-found" in the schema of a setting. A setting without it is withheld.
//   true: any value; a list: these values; "self-contained": the name of a backend that says so of itself
export type FoundMay = { 'x-found'?: true | readonly string[] | 'self-contained' }

// For settings that change nothing but quality, within the machine: they name no program, file, address or variable.
export const taste: FoundMay = { 'x-found': true }
