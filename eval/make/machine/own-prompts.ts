import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { listNames } from '../../../src/store/read-file.ts'
import type { MakeRecipe } from '../../recipes/recipe.ts'

// The recipe with a person's own prompts, NAME.txt for each that shall not be ours. The set knows them by their hashes alone.
export async function withOwnPrompts(recipe: MakeRecipe, folder: unknown): Promise<MakeRecipe> {
  if (folder === undefined) return recipe
  const place = String(folder)
  const { telling = [], stages } = recipe
  const known = [...telling, ...stages].flatMap(({ prompts }) => Object.keys(prompts))
  const files = (await listNames(place)).filter(name => name.endsWith('.txt'))
  const strange = files.find(file => !known.includes(file.slice(0, -4)))
  if (files.length === 0 || strange !== undefined)
    throw new UsageError(
      strange === undefined
        ? `${place} must hold a prompt as a .txt file, and holds none.`
        : `${join(place, strange)} must be named after a prompt of the recipe.`,
      { hint: `Prompts: ${known.map(name => `${name}.txt`).join(', ')}.` },
    )
  const own = new Map<string, string>()
  for (const file of files) own.set(file.slice(0, -4), await readFile(join(place, file), 'utf8'))
  const withOwn = (stage: MakeRecipe['stages'][number]) => ({
    ...stage,
    prompts: Object.fromEntries(Object.entries(stage.prompts).map(([name, text]) => [name, own.get(name) ?? text])),
    own: Object.keys(stage.prompts).filter(name => own.has(name) && own.get(name) !== stage.prompts[name]),
  })
  return { ...recipe, telling: telling.map(withOwn), stages: stages.map(withOwn) }
}
