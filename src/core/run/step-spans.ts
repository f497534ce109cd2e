import type { Track } from '../evidence.ts'
import type { Span } from '../time.ts'

// Without zod, as the page reads it too.

// Where in the video a call of a tool has been: `searched` goes through what the index knows, `looked` goes back to the frames or
// the sound.
export interface CallSpan {
  lane: 'searched' | 'looked'
  span: Span // that it asked for; the whole video where it named none
  tracks: Track[] // that it named, or that such a tool is about
}

export interface MarkedSpan {
  id: string
  span: Span
  track: Track
}

export interface LaneMark {
  span: Span
  step: number
  row?: string
  track?: Track
}

interface MarkedStep {
  step: number
  tools: readonly { span?: CallSpan; found: readonly MarkedSpan[] }[]
}

// The marks of some steps for the lanes under the player. A search that found something is marked where its rows are.
export function laneMarks(
  steps: readonly MarkedStep[],
  cited: readonly MarkedSpan[],
): Record<'searched' | 'looked' | 'cited', LaneMark[]> {
  const marksIn = (lane: CallSpan['lane']) =>
    steps.flatMap(({ step, tools }) =>
      tools.flatMap(({ span, found }): LaneMark[] => {
        if (span?.lane !== lane) return []
        if (lane === 'looked' || found.length === 0) return [{ span: span.span, step }]
        return found.map(({ id, span, track }) => ({ span, step, row: id, track }))
      }),
    )
  const last = steps.at(-1)?.step ?? 0
  return {
    searched: marksIn('searched'),
    looked: marksIn('looked'),
    cited: cited.map(({ id, span, track }) => ({ span, step: last, row: id, track })),
  }
}
