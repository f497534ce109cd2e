import type { CheckOutcome, CheckVerdict, DraftItem, RecipeRules, SourceRecord, SourceRow } from '../../item.ts'

// What is wrong with an item; a sentence by itself rejects it.
export type ItemFault = string | { detail: string; outcome?: CheckOutcome; replies?: (string | null)[] }

export function checkVerdict({ id }: DraftItem, fault: ItemFault | undefined): CheckVerdict {
  if (fault === undefined) return { item: id, outcome: 'pass' }
  return { item: id, outcome: 'reject', ...(typeof fault === 'string' ? { detail: fault } : fault) }
}

export function withOutcome(outcome: CheckOutcome, detail: string | undefined): ItemFault | undefined {
  return detail === undefined ? undefined : { outcome, detail }
}

// One after another: the money that is spent ends them, and a kill cuts one request short.
export async function eachItem(
  items: readonly DraftItem[],
  faultIn: (item: DraftItem) => ItemFault | undefined | Promise<ItemFault | undefined>,
): Promise<CheckVerdict[]> {
  const verdicts: CheckVerdict[] = []
  for (const item of items) verdicts.push(checkVerdict(item, await faultIn(item)))
  return verdicts
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

// What an item rests on: the rows and texts that it cites, and the rows that overlap its clues.
export function sourceRows(item: DraftItem, { rows, texts = [] }: SourceRecord): SourceRow[] {
  const cited = new Set(item.rows)
  return [...texts, ...rows].filter(row => cited.has(row.id) || isOverlapping(row, item))
}

// An answer that is counted or measured from rows: all of its kind are, or the item says so of itself.
export function isComputedAnswer({ kind, extra }: DraftItem, rules: RecipeRules | undefined): boolean {
  return Array.isArray(extra.computed) || (rules?.computed?.includes(kind) ?? false)
}
