import type { DraftItem, Outcome, SourceRecord, SourceRow, Verdict } from '../../item.ts'

export interface Fault {
  detail: string
  outcome?: Outcome // reject where left out
  replies?: (string | null)[]
}

export function verdictOf({ id }: DraftItem, fault: Fault | undefined): Verdict {
  return fault ? { item: id, outcome: 'reject', ...fault } : { item: id, outcome: 'pass' }
}

export function eachItem(
  items: readonly DraftItem[],
  faultIn: (item: DraftItem) => Fault | undefined,
): Promise<Verdict[]> {
  return Promise.resolve(items.map(item => verdictOf(item, faultIn(item))))
}

// Always the same, whatever order the items come in.
export function byId(items: readonly DraftItem[]): DraftItem[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

export function isOverlapping({ span }: Pick<SourceRow, 'span'>, { clues }: Pick<DraftItem, 'clues'>): boolean {
  return clues.some(([start, end]) => span.start < end && span.end > start)
}

export function clueRows(item: DraftItem, { rows }: SourceRecord): SourceRow[] {
  return rows.filter(row => isOverlapping(row, item))
}

// What an item rests on: the rows that it cites, and those that overlap its clues.
export function sourceRows(item: DraftItem, { rows }: SourceRecord): SourceRow[] {
  const cited = new Set(item.rows)
  return rows.filter(row => cited.has(row.id) || isOverlapping(row, item))
}
