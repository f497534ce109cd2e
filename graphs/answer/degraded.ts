import type { StopReason } from '../../src/core/agent.ts'
import { formatSpan, gapsBetween, spanLength } from '../../src/core/time.ts'
import { type Coverage, toldTracks } from '../../src/core/video.ts'

// What the answer could not rest on, one sentence each.
export function degradedBy(coverage: Coverage, stop: StopReason, failures: readonly string[]): string[] {
  const tracks = toldTracks(coverage, ['picture', 'speech', 'sound', 'text']).flatMap(({ name, track }) => {
    const note = track.note ? `: ${track.note.replace(/\.$/, '')}` : ''
    if (track.state === 'off') return [`${labels[name]} was not indexed (off)${note}.`]
    if (track.state === 'absent') return [`The video has no ${labels[name].toLowerCase()}${note}.`]
    if (track.state === 'failed') return [`${labels[name]} could not be indexed${note}.`]
    if (track.state === 'partial') {
      const all = gapsBetween(track.spans, { start: 0, end: coverage.duration })
        .filter(gap => spanLength(gap) >= 1)
        .map(formatSpan)
      const gaps = [...all.slice(0, 3), ...(all.length > 3 ? [`${all.length - 3} more parts`] : [])].join(', ')
      return [
        `${labels[name]} is indexed only in part${gaps && track.spans.length > 0 ? `, without ${gaps}` : ''}${note}.`,
      ]
    }
    return []
  })
  const ended = Object.hasOwn(stops, stop) ? [stops[stop as keyof typeof stops]] : []
  return [...new Set([...tracks, ...ended, ...failures])]
}

const labels = { picture: 'Picture', speech: 'Speech', sound: 'Sound', text: 'Text on screen', caption: 'Captions' }

const stops = {
  tokens: 'The search ended because the token budget was spent.',
  frames: 'The search ended because the frame budget was spent.',
  seconds: 'The search ended because the time was up.',
  money: 'The search ended because the money budget was spent.',
  steps: 'The search ended because the rounds of tool calls were used up.',
  interrupted: 'The search was interrupted.',
  failed: 'A model failed, so the answer quotes the nearest evidence.',
}
