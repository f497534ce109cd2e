import { UsageError } from '../../../src/core/errors.ts'
import { type MadeModels, openAuthor } from '../../recipes/author.ts'
import { loadRecipe } from '../load-recipe.ts'
import type { MadeMedia } from './media.ts'
import { checkGiven } from './run-checks.ts'
import { videoLines } from './run-stage.ts'
import type { SentMaking, SentStep } from './workers.ts'

interface StepContext {
  models: MadeModels
  media: MadeMedia
  signal: AbortSignal
}

// Makes a step only for its calls: the machine that has sent it makes it again, of what they were told.
export async function askStep(step: SentStep, sent: SentMaking, { models, media, signal }: StepContext): Promise<void> {
  const { seed, settings } = sent
  const recipe = await loadRecipe(sent.recipe)
  const { record, name } = step
  if (step.kind === 'stage') {
    const stageOfStep = [...(recipe.telling ?? []), ...recipe.stages].find(stage => stage.name === name)
    if (!stageOfStep) throw strange(recipe.name, name)
    const stage = { ...stageOfStep, prompts: sent.prompts[name] ?? stageOfStep.prompts, units: () => step.units }
    const before = new Map([[record.video_id, step.before]])
    const author = openAuthor(stage, models, seed, signal)
    await videoLines({ stage, recipe, settings, seed, author, before, media }, record, new Map(), signal)
    return
  }
  const checkOfStep = recipe.checks.find(({ check }) => check.name === name)
  if (!checkOfStep) throw strange(recipe.name, name)
  const rules = { ...recipe.rules, excluded: sent.exclude }
  const checkInput = { rules, records: [record], models, frames: media.frames, seed, signal }
  await checkOfStep.check.run(step.items, checkGiven(checkInput, { ...checkOfStep, thresholds: step.thresholds }))
}

function strange(recipe: string, name: string): UsageError {
  return new UsageError(`The recipe ${recipe} has no step "${name}" in this version.`, {
    hint: 'Let all machines have the same version of longtake.',
  })
}
