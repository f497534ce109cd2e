import type { Dict } from '../python-error.ts'

const weights: Record<string, number> = { high_priority: 5, medium_priority: 3, low_priority: 1, penalty: -5 }

// Criteria with the weight of their category; an unknown one weighs 3, a missing one is medium.
export function withWeights(criteria: readonly Dict[]): Dict[] {
  return criteria.map(criterion => {
    const category = criterion.category === undefined ? 'medium_priority' : String(criterion.category)
    return { ...criterion, category, weight: weights[category] ?? 3, is_penalty: category === 'penalty' }
  })
}
