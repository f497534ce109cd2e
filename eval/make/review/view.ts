import type { DraftItem } from '../../recipes/item.ts'
import type { MarkOf } from './events.ts'
import type { ItemView, RowView } from './page-data.ts'
import { listFlags, type ReviewSet } from './review-set.ts'
import { type EventMark, itemHash, type ReviewLine } from './verdict.ts'

const maxRows = 40

export function itemView(
  item: DraftItem,
  set: ReviewSet,
  { before, markOf = () => undefined }: { before?: ReviewLine; markOf?: MarkOf } = {},
): ItemView {
  const { id, events, video, kind, question, options, answer, right, clues, extra } = item
  const rows = set.records.find(record => record.video_id === video)?.rows ?? []
  const more = Object.entries(extra).map(([name, value]): [string, string] => [name, formatValue(value)])
  return {
    id,
    hash: itemHash(item),
    video,
    kind,
    question,
    options,
    before,
    flags: listFlags(set, item),
    turns: turnsBefore(item, set),
    key: {
      answer,
      right,
      clues,
      rows: rowsNear(item, rows),
      more,
      ...(events && { events: { ...events, marks: collectMarks(item, before, markOf) } }),
    },
  }
}

function collectMarks(item: DraftItem, before: ReviewLine | undefined, markOf: MarkOf): Record<string, EventMark> {
  const marks: Record<string, EventMark> = {}
  for (const event of item.events?.list ?? []) {
    const mark = markOf(item, event)
    if (mark !== undefined) marks[event] = mark
  }
  return { ...marks, ...before?.events }
}

function turnsBefore({ id, extra }: DraftItem, { items, recipe }: ReviewSet): string[] {
  const { together } = recipe.rules
  if (together === undefined || extra[together] === undefined) return []
  const all = items.filter(one => one.extra[together] === extra[together])
  const before = all.findIndex(one => one.id === id)
  return all.slice(0, before).flatMap(({ question, answer }) => [question, answer])
}

// What is cited and what overlaps the clue, then what is nearest to it, in the order of time.
function rowsNear({ rows: cited, clues }: DraftItem, rows: ReviewSet['records'][number]['rows']): RowView[] {
  const apart = ({ start, end }: { start: number; end: number }) =>
    Math.min(...clues.map(([from, to]) => Math.max(0, from - end, start - to)), clues.length === 0 ? 0 : Infinity)
  return rows
    .map(row => ({ ...row, cited: cited.includes(row.id) }))
    .sort((a, b) => Number(b.cited) - Number(a.cited) || apart(a.span) - apart(b.span) || a.span.start - b.span.start)
    .slice(0, maxRows)
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ span, text, cited }) => ({ start: span.start, end: span.end, text, cited }))
}

// Criteria of a rubric one a line, whatever fields they have.
function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(formatValue).join('\n')
  if (value === null || typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${formatValue(one)}`)
    .join('; ')
}
