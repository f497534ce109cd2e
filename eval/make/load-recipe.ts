import { UsageError } from '../../src/core/errors.ts'
import { benchmarkNames, loadBenchmark } from '../benchmarks/index.ts'
import type { MakeRecipe } from '../recipes/recipe.ts'

export async function loadRecipe(name: string): Promise<MakeRecipe> {
  const recipe = (await loadBenchmark(name)).making?.recipe
  if (recipe) return (await recipe()).default as MakeRecipe
  const all = await Promise.all(benchmarkNames.map(loadBenchmark))
  const recipeNames = all.flatMap(one => (one.making?.recipe ? [one.name] : []))
  throw new UsageError(`There is no recipe that makes a set of ${name} from own videos.`, {
    hint: `Recipes: ${recipeNames.join(', ')}.`,
  })
}

// The recipe as the set's own options have it: what its checks hold items to.
export function withThresholds(recipe: MakeRecipe, settings: unknown): MakeRecipe {
  const thresholds = recipe.thresholds?.(settings) ?? {}
  const checks = recipe.checks.map(one => ({
    ...one,
    thresholds: { ...one.thresholds, ...thresholds[one.check.name] },
  }))
  return { ...recipe, checks }
}
