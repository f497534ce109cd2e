import { z } from 'zod'
import type { DraftItem } from '../../item.ts'

const Criterion = z.looseObject({
  name: z.string(),
  description: z.string(),
  category: z.string().default(''),
  weight: z.number().optional(),
  is_penalty: z.boolean().default(false),
})
export type ItemCriterion = z.infer<typeof Criterion>

// The rubric of an item, in LongShOT's form; undefined if it has none, null if it cannot be read.
export function itemCriteria({ extra }: DraftItem): ItemCriterion[] | undefined | null {
  if (extra.criteria === undefined) return undefined
  const read = z.array(Criterion).safeParse(extra.criteria)
  return read.success ? read.data : null
}

export function isHigh({ category, weight, is_penalty }: ItemCriterion): boolean {
  return !is_penalty && (category === 'high_priority' || weight === 5)
}

export function highCriteria(item: DraftItem): ItemCriterion[] {
  return (itemCriteria(item) ?? []).filter(isHigh)
}
