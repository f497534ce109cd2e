import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { emptySpans, gapsBetween } from '../../../../src/core/basics/gaps.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { TrackCoverage } from '../../../../src/core/video.ts'
import type { Column, LaneName } from './columns.ts'

// How the rows of a lane look, so that its colour is not its only sign.
export type LaneShape = 'ticks' | 'bars' | 'blocks' | 'waves' | 'stripes' | 'boxes' | 'pins' | 'diamonds'

interface LaneKind {
  name: LaneName
  title: string
  shape: LaneShape
  colour: string // a token of the style sheet
}

export const laneKinds: readonly LaneKind[] = [
  { name: 'shot', title: 'Shots', shape: 'ticks', colour: '--dim' },
  { name: 'speech', title: 'Speech', shape: 'bars', colour: '--speech' },
  { name: 'text', title: 'Text', shape: 'blocks', colour: '--text' },
  { name: 'sound', title: 'Sound', shape: 'waves', colour: '--sound' },
  { name: 'picture', title: 'Picture', shape: 'stripes', colour: '--picture' },
  { name: 'caption', title: 'Captions', shape: 'blocks', colour: '--picture' },
  { name: 'person', title: 'People', shape: 'boxes', colour: '--speech' },
  { name: 'looked', title: 'Looked at', shape: 'boxes', colour: '--dim' },
  { name: 'searched', title: 'Searched', shape: 'pins', colour: '--accent' },
  { name: 'cited', title: 'Cited', shape: 'diamonds', colour: '--cited' },
]

export interface TimelineLane {
  name: LaneName
  title: string
  shape: LaneShape
  column?: Column
  gaps: readonly Span[] // what could not be looked at
  state?: string // "off", "none": why there is nothing
}

// The lanes that have rows, and those that could not be looked at.
export function lanesOfVideo(video: VideoDetails, columns: ReadonlyMap<LaneName, Column>): TimelineLane[] {
  return laneKinds.flatMap(({ colour: _, ...kind }) => {
    const column = columns.get(kind.name)
    const coverage = findCoverage(video, kind.name)
    if (!column?.starts.length && coverage?.state !== 'failed' && coverage?.state !== 'partial') return []
    return { ...kind, ...(column && { column }), ...(coverage ? describeLack(coverage, video.duration) : { gaps: [] }) }
  })
}

function findCoverage({ coverage }: VideoDetails, lane: LaneName): TrackCoverage | undefined {
  if (lane === 'shot') return coverage?.picture
  if (lane === 'speech' || lane === 'text' || lane === 'sound' || lane === 'picture' || lane === 'caption')
    return coverage?.[lane]
  return undefined
}

function describeLack(track: TrackCoverage, duration: number): Pick<TimelineLane, 'gaps' | 'state'> {
  const { state, spans } = track
  const whole = { start: 0, end: duration }
  if (state === 'partial') return { gaps: gapsBetween(spans, whole) }
  if (state === 'failed') return { gaps: [whole], state: 'failed' }
  if (state === 'off') return { gaps: [whole], state: 'off' }
  return state === 'absent' ? { gaps: [], state: 'none' } : { gaps: emptySpans(track) }
}
