import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { listNames } from '../../../src/store/read-file.ts'
import type { MakeRecipe } from '../../recipes/recipe.ts'

// The recipe with a person's own prompts, NAME.txt for each that shall not be ours. The set knows only their hashes.
export async function withOwnPrompts(recipe: MakeRecipe, folder: unknown): Promise<MakeRecipe> {
  if (folder === undefined) return recipe
  const promptFolder = String(folder)
  const { telling = [], stages } = recipe
  const promptNames = [...telling, ...stages].flatMap(({ prompts }) => Object.keys(prompts))
  const files = (await listNames(promptFolder)).filter(name => name.endsWith('.txt'))
  const strange = files.find(file => !promptNames.includes(file.slice(0, -4)))
  if (files.length === 0 || strange !== undefined)
    throw new UsageError(
      strange === undefined
        ? `${promptFolder} must hold a prompt as a .txt file, and holds none.`
        : `${join(promptFolder, strange)} must be named after a prompt of the recipe.`,
      { hint: `Prompts: ${promptNames.map(name => `${name}.txt`).join(', ')}.` },
    )
  const ownPrompts = new Map<string, string>()
  for (const file of files) ownPrompts.set(file.slice(0, -4), await readFile(join(promptFolder, file), 'utf8'))
  const withOwn = (stage: MakeRecipe['stages'][number]) => ({
    ...stage,
    prompts: Object.fromEntries(
      Object.entries(stage.prompts).map(([name, text]) => [name, ownPrompts.get(name) ?? text]),
    ),
    own: Object.keys(stage.prompts).filter(
      name => ownPrompts.has(name) && ownPrompts.get(name) !== stage.prompts[name],
    ),
  })
  return { ...recipe, telling: telling.map(withOwn), stages: stages.map(withOwn) }
}
