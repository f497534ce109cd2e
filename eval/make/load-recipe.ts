import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { listNames } from '../../src/store/read-file.ts'
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

// The recipe with a person's own prompts, NAME.txt for each that shall not be ours. The set knows only their hashes.
export async function withOwnPrompts(recipe: MakeRecipe, folder: unknown): Promise<MakeRecipe> {
  if (folder === undefined) return recipe
  const promptFolder = String(folder)
  const { telling = [], stages } = recipe
  const promptFiles = [...telling, ...stages].flatMap(({ prompts }) => Object.keys(prompts)).map(name => `${name}.txt`)
  const files = (await listNames(promptFolder)).filter(name => name.endsWith('.txt'))
  const strange = files.find(file => !promptFiles.includes(file))
  if (files.length === 0 || strange !== undefined)
    throw new UsageError(
      strange === undefined
        ? `${promptFolder} must hold a prompt as a .txt file, and holds none.`
        : `${join(promptFolder, strange)} must be named after a prompt of the recipe.`,
      { hint: `Prompts: ${promptFiles.join(', ')}.` },
    )
  const texts = new Map<string, string>()
  for (const file of files) texts.set(file, await readFile(join(promptFolder, file), 'utf8'))
  const withOwn = (stage: MakeRecipe['stages'][number]) => {
    const all = Object.entries(stage.prompts).map(([name, text]) => [name, texts.get(`${name}.txt`) ?? text] as const)
    const changed = all.filter(([name, text]) => text !== stage.prompts[name]).map(([name]) => name)
    return { ...stage, prompts: Object.fromEntries(all), own: changed }
  }
  return { ...recipe, telling: telling.map(withOwn), stages: stages.map(withOwn) }
}
