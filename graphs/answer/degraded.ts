import type { StopReason } from '../../src/core/agent.ts'
import { formatSpan, gapsBetween, type Span, spanLength } from '../../src/core/time.ts'
import { type Coverage, toldTracks } from '../../src/core/video.ts'

// What the answer could not rest on, one sentence each.
export function degradedBy(coverage: Coverage, stop: StopReason, failures: readonly string[]): string[] {
  const tracks = toldTracks(coverage, ['picture', 'speech', 'sound', 'text']).flatMap(({ name, track }) => {
    const note = track.note ? `: ${track.note.replace(/\.$/, '')}` : ''
    if (track.state === 'off') return [`${labels[name]} was not indexed (off)${note}.`]
    if (track.state === 'absent') return [`The video has no ${labels[name].toLowerCase()}${note}.`]
    if (track.state === 'failed') return [`${labels[name]} could not be indexed${note}.`]
    if (track.state === 'partial') {
      const gaps = nameSpans(gapsBetween(track.spans, { start: 0, end: coverage.duration }).filter(isLong))
      return [
        `${labels[name]} is indexed only in part${gaps && track.spans.length > 0 ? `, without ${gaps}` : ''}${note}.`,
      ]
    }
    const unclear = (track.notUnderstood ?? []).filter(isLong)
    return unclear.length > 0 ? [`${labels[name]} was heard but not understood at ${nameSpans(unclear)}.`] : []
  })
  const ended = Object.hasOwn(stops, stop) ? [stops[stop as keyof typeof stops]] : []
  return [...new Set([...tracks, ...ended, ...failures])]
}

const isLong = (span: Span) => spanLength(span) >= 1

function nameSpans(spans: readonly Span[]): string {
  const named = spans.slice(0, 3).map(formatSpan)
  return [...named, ...(spans.length > 3 ? [`${spans.length - 3} more parts`] : [])].join(', ')
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
