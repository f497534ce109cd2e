import { z } from 'zod'
import catalogue from './catalogue.json' with { type: 'json' }

const penalties: Record<string, string> = catalogue.penalties
const weights: Record<string, number> = catalogue.weights

const Criterion = z.strictObject({
  name: z.enum([...catalogue.criteria, ...Object.keys(penalties)]),
  description: z.string().min(3),
  category: z.enum(Object.keys(weights)),
  is_penalty: z.boolean(),
})
export const Rubric = z.strictObject({ criteria: z.array(Criterion).min(1).max(5) })
export type Rubric = z.infer<typeof Rubric>

export function faultOfRubric({ criteria }: Rubric): string | undefined {
  const names = criteria.map(({ name }) => name)
  const double = names.find((name, at) => names.indexOf(name) < at)
  if (double !== undefined) return `two criteria are called "${double}"`
  const wrong = criteria.find(({ name, category }) => (category === 'penalty') !== name in penalties)
  if (wrong)
    return `"${wrong.name}" ${wrong.name in penalties ? 'must have the category penalty' : 'is no name of a penalty'}`
  return criteria.some(one => one.category === 'high_priority') ? undefined : 'no criterion is of high priority'
}

// With its weight, and a penalty with its fixed sentence.
export function weighed(one: { name: string; description: string; category?: string }) {
  const { name, category = 'medium_priority' } = one
  const description = penalties[name] ?? one.description
  return { name, description, category, weight: weights[category] ?? 3, is_penalty: category === 'penalty' }
}
