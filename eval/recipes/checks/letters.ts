import { letterAt } from '../../metrics/choice/options.ts'
import type { DraftItem, ItemCheck } from '../item.ts'
import { type ChoiceItem, isChoice } from './parts/solvers.ts'
import { byId, eachItem } from './parts/verdicts.ts'

// K6. Among questions with equally many options each letter is right as often as the others, give or take one. What exceeds that is
// rejected; a recipe deals the places from a deck (set/deal-letters.ts), so that nothing does.
export const letters: ItemCheck = {
  k: 6,
  name: 'letters',
  scope: 'set',
  run(items, { thresholds: { apart = 1 } }) {
    const surplus = new Set<string>()
    for (const group of groupByOptionCount(items)) {
      const piles = groupByRight(group)
      const most = Math.min(...piles.map(pile => pile.length)) + apart
      for (const pile of piles) for (const { id } of pile.slice(most)) surplus.add(id)
    }
    return eachItem(items, ({ id }) => (surplus.has(id) ? 'its letter is right more often than another' : undefined))
  },
  warnings: (items, { thresholds: { apart = 1 } }) =>
    groupByOptionCount(items).flatMap(group => {
      const counts = groupByRight(group).map(pile => pile.length)
      if (Math.max(...counts) - Math.min(...counts) <= apart) return []
      const letterCounts = counts.map((count, at) => `${letterAt(at)} ${count}`).join(', ')
      return [`Right letters of ${group.length} questions with ${counts.length} options: ${letterCounts}.`]
    }),
}

function groupByOptionCount(items: readonly DraftItem[]): ChoiceItem[][] {
  const choices = byId(items).filter(isChoice)
  const sizes = [...new Set(choices.map(({ options }) => options.length))].sort((a, b) => a - b)
  return sizes.map(size => choices.filter(({ options }) => options.length === size))
}

function groupByRight(group: readonly ChoiceItem[]): ChoiceItem[][] {
  return (group[0]?.options ?? []).map((_, at) => group.filter(item => item.right === at))
}
