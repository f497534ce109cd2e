import { formatTime } from '../../src/core/time.ts'
import type { Sample } from '../data/sample.ts'
import { aboutText } from './about.ts'
import type { FrameRequest } from './frames.ts'

// What the options say beside the protocol's own text: it stands before that of the question.
export function withBeside(request: FrameRequest, sample: Sample, options: Record<string, unknown>): FrameRequest {
  const said = [
    ...(sample.about && (options.metadata === 'also' || options.metadata === 'only') ? [aboutText(sample.about)] : []),
    ...(options.clues === 'given' && sample.clues?.length ? [cluesText(sample.clues)] : []),
  ]
  const place = request.turns.findLastIndex(turn => turn.role === 'user')
  const asked = request.turns[place]
  if (said.length === 0 || !asked) return request
  const last = asked.parts.findLastIndex(part => 'text' in part)
  const parts = asked.parts.flatMap((part, i) =>
    i === last ? [...said.map(text => ({ text: `${text}\n\n` })), part] : [part],
  )
  return { ...request, turns: request.turns.with(place, { ...asked, parts }) }
}

function cluesText(clues: NonNullable<Sample['clues']>): string {
  return `What the question needs is seen at ${clues.map(({ start, end }) => `${formatTime(start)} to ${formatTime(end)}`).join(', ')}.`
}
