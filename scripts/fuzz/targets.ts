import type { Target } from './target.ts'

// Every door that bytes of strangers come in by, one line each.
export const targets: Record<string, () => Promise<Target>> = {
  mp4: async () => (await import('./targets/mp4.ts')).default,
  subtitles: async () => (await import('./targets/subtitles.ts')).default,
  tar: async () => (await import('./targets/tar.ts')).default,
  zip: async () => (await import('./targets/zip.ts')).default,
  parquet: async () => (await import('./targets/parquet.ts')).default,
  benchmarks: async () => (await import('./targets/benchmarks.ts')).default,
  replies: async () => (await import('./targets/replies.ts')).default,
  'tool-calls': async () => (await import('./targets/tool-calls.ts')).default,
}
