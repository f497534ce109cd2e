import { formatTime } from '../../src/core/time.ts'
import type { Sample } from '../data/sample.ts'
import { aboutText } from './about.ts'
import type { FrameRequest } from './frames.ts'

// What the options say beside the protocol's own text: it stands before that of the question.
export function withBeside(request: FrameRequest, sample: Sample, options: Record<string, unknown>): FrameRequest {
  const notes = [
    ...(sample.about && (options.metadata === 'also' || options.metadata === 'only') ? [aboutText(sample.about)] : []),
    ...(options.clues === 'given' && sample.clues?.length ? [cluesText(sample.clues)] : []),
  ]
  const lastUserTurn = request.turns.findLastIndex(turn => turn.role === 'user')
  const userTurn = request.turns[lastUserTurn]
  if (notes.length === 0 || !userTurn) return request
  const last = userTurn.parts.findLastIndex(part => 'text' in part)
  const parts = userTurn.parts.flatMap((part, i) =>
    i === last ? [...notes.map(text => ({ text: `${text}\n\n` })), part] : [part],
  )
  return { ...request, turns: request.turns.with(lastUserTurn, { ...userTurn, parts }) }
}

function cluesText(clues: NonNullable<Sample['clues']>): string {
  return `What the question needs is seen at ${clues.map(({ start, end }) => `${formatTime(start)} to ${formatTime(end)}`).join(', ')}.`
}
