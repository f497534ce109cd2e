import { z } from 'zod'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { Before, MakeRecipe, MakeUnit } from '../../recipes/recipe.ts'

// How the models of a making are asked, as another machine has to know it. The models travel beside it; files are here as their text.
export const SentMaking = z.strictObject({
  recipe: z.string(),
  version: z.string(), // of the recipe
  seed: z.int(),
  settings: z.record(z.string(), z.unknown()), // of the recipe, with what it has read of files
  prompts: z.record(z.string(), z.record(z.string(), z.string())), // by stage and name
  exclude: z.array(z.string()),
})
export type SentMaking = z.infer<typeof SentMaking>

// The recipe has the prompts of the person who makes the set.
export function sentMaking(
  { name, version, telling = [], stages }: MakeRecipe,
  settings: unknown,
  { seed, exclude }: { seed: number; exclude: string[] },
): SentMaking {
  const prompts = Object.fromEntries([...telling, ...stages].map(stage => [stage.name, stage.prompts]))
  const sent = { recipe: name, version, seed, settings, prompts, exclude }
  return SentMaking.parse(JSON.parse(JSON.stringify(sent)))
}

const any = <Value>() => z.custom<Value>(value => typeof value === 'object' && value !== null)

const common = {
  name: z.string(), // of the stage, or of the check
  asked: z.array(z.unknown()), // ids and identities of the models: with another one it is another step
  record: any<SourceRecord>(),
}

// What a stage or a check asks models about one video, with all that the requests are made of.
export const SentStep = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('stage'), units: z.array(any<MakeUnit>()), before: any<Before>() }),
  z.strictObject({
    ...common,
    kind: z.literal('check'),
    thresholds: z.record(z.string(), z.number()),
    items: z.array(any<DraftItem>()),
  }),
])
export type SentStep = z.infer<typeof SentStep>
