import { Refused } from '../../core/api/problem.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { VideoMemory } from '../../core/operation.ts'
import { formatMoment, type Span } from '../../core/time.ts'
import { readTime, type TimeInput } from './read-time.ts'
import { eachPart, partAt, type SourcePart, shiftRow, type Timeline } from './source.ts'

interface SpanInput {
  start?: TimeInput
  end?: TimeInput
  at?: TimeInput // a moment, or the beginning of the id of a row
}

// A moment, or the span of a row that is named by the beginning of its id; else the span that is asked for.
export async function chooseSpan(
  memory: VideoMemory,
  source: Timeline,
  { start, end, at }: SpanInput,
): Promise<Span & { row?: Evidence }> {
  if (at === undefined) return readSpan(source, { start, end })
  if (start !== undefined || end !== undefined)
    throw new Refused('usage', '"at" stands alone, and "start" or "end" came with it.', 'Leave one of them out.')
  if (typeof at === 'string' && /^[a-z][0-9a-f]{4,10}$/.test(at)) {
    const all = await eachPart(memory, source, { start: 0, end: source.duration }, (index, _, { offset }) =>
      index
        .evidence()
        .filter(({ id }) => id.startsWith(at))
        .map(row => shiftRow(row, offset)),
    )
    const [row, other] = all.flat()
    if (!row) throw new Refused('unknown', `There is no row "${at}" here.`, 'Name a time as "3:20.5".')
    if (other)
      throw new Refused('conflict', `Several rows begin with ${at}: ${row.id}, ${other.id}.`, 'Name one of them.')
    return { ...row.span, row }
  }
  const moment = momentWithin(source, readTime(at, 'at'))
  return { start: moment, end: moment }
}

// The span that is asked for; by default from the beginning to the end.
export function readSpan(source: Timeline, { start = 0, end }: Pick<SpanInput, 'start' | 'end'>): Span {
  const { duration } = source
  const from = momentWithin(source, readTime(start, 'start'))
  const to = end === undefined ? duration : readTime(end, 'end')
  if (from > to)
    throw new Refused(
      'usage',
      `"start" (${formatMoment(from)}) is later than "end" (${formatMoment(to)}).`,
      'Swap them.',
    )
  return { start: from, end: Math.min(to, duration) }
}

function momentWithin({ duration, name }: Timeline, second: number): number {
  if (second < duration || duration === 0) return second
  throw new Refused(
    'usage',
    `${formatMoment(second)} is not within ${name}, which ends at ${formatMoment(duration)}.`,
    'Name an earlier time.',
  )
}

// A span that lies in one video of a folder.
export function findPart(source: Timeline, span: Span): SourcePart {
  const playing = partAt(source, span.start)
  const end = playing.offset + playing.video.duration
  if (span.end <= end || source.parts.length === 1) return playing
  throw new Refused(
    'usage',
    `${formatMoment(span.start)}-${formatMoment(span.end)} lies in several videos: one ends at ${formatMoment(end)}.`,
    'Name a span in one of them.',
  )
}
