import type { Evidence } from '../../../src/core/evidence.ts'
import type { Overview } from '../../../src/core/video.ts'

// The names of those who speak, as far as the index knows them.
export function speakersOf(brief: { overview?: Overview; evidence: readonly Evidence[] }): string[] {
  const heard = brief.evidence.flatMap(row => (row.track === 'speech' && row.speaker ? [row.speaker] : []))
  return [...new Set([...(brief.overview?.speakers ?? []), ...heard])]
}

// Without the speech of others, where the words of one speaker are asked for.
export function spokenBy(speaker: string | undefined, rows: readonly Evidence[]): Evidence[] {
  return speaker ? rows.filter(row => row.track !== 'speech' || row.speaker === speaker) : [...rows]
}
