import type { Sample } from '../benchmarks/sample.ts'

// A sample with its place in the data, and where its video lies.
export interface LocatedSample {
  sample: Sample
  place: number
  locate(video: string): { path: string } | { fault: string } // also for clips that a question of this sample is about
  subtitles?: string // a file
}
