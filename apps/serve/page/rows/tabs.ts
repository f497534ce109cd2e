import type { Track } from '../../../../src/core/evidence.ts'
import { trackNames } from '../../../../src/core/words/track-names.ts'
import { buildColumn, type Column, type LaneName } from '../lanes/columns.ts'

interface Tab {
  name: string
  title: string
  tracks: readonly Track[]
}

const listedTabs = [
  { name: 'transcript', title: 'Transcript', tracks: ['speech'] },
  { name: 'screen', title: 'On screen', tracks: ['text', 'picture', 'caption', 'person'] },
  { name: 'sounds', title: 'Sounds', tracks: ['sound'] },
] as const satisfies readonly Tab[]
const listedTracks: readonly Track[] = ['shot', ...listedTabs.flatMap(({ tracks }) => [...tracks])]

// What each tab lists: the last one all tracks that have no other.
export const rowTabs = [
  ...listedTabs,
  { name: 'notes', title: 'Notes', tracks: trackNames.filter(track => !listedTracks.includes(track)) },
] as const satisfies readonly Tab[]

export type RowTab = (typeof rowTabs)[number]

export function tabOfTrack(track: Track): RowTab {
  return rowTabs.find(({ tracks }) => (tracks as readonly Track[]).includes(track)) ?? rowTabs[0]
}

// The rows of a tab in order of time, as the server lists them.
export function columnOfTab({ tracks }: RowTab, columns: ReadonlyMap<LaneName, Column>): Column | undefined {
  const filled = tracks.flatMap(track => columns.get(track) ?? [])
  if (filled.length < 2) return filled[0]
  const rows = filled.flatMap(({ starts, ends }) => [...starts].map((start, at) => [start, ends[at] ?? 0] as const))
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  return buildColumn({
    starts: Uint32Array.from(rows, ([start]) => start),
    ends: Uint32Array.from(rows, ([, end]) => end),
  })
}
