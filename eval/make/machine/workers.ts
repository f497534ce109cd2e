import { z } from 'zod'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { usageCost } from '../../../src/runtime/models/prices.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { Before, MakeRecipe, MakeUnit } from '../../recipes/recipe.ts'
import type { KeptCall } from './kept-calls.ts'
import { checkMoney, type MakeReply, type ToAsk } from './roles.ts'

// Other machines, which index the videos of a making and ask its models. Everything is written down here, of their replies, as one
// machine by itself would write it.
export interface MakeWorkers {
  index(paths: readonly string[], runtime: LocalRuntime): Promise<void>
  open(making: OpenedMaking): Promise<void>
  ask(steps: readonly SentStep[]): Promise<AskedCalls> // until each of them is asked
  end(isWhole: boolean): Promise<void> // whether the set is there, or it has stopped before as was asked
}

export interface OpenedMaking {
  sent: SentMaking
  folder: string // of the set
  runtime: LocalRuntime
  videos: ReadonlyMap<string, string> // files by video_id
  calls: readonly KeptCall[] // from before
}

export interface AskedCalls {
  calls: { key: string; answered: MakeReply }[] // in the order in which this machine needs them
  isAll: boolean // whether the others have asked all that these steps need
  spent: number // money of the making so far, whoever has asked
}

// Has the models of a step asked by others, before it is made here.
export type AskAhead = (steps: readonly SentStep[]) => Promise<void>

// The replies of one step at a time stand in for the models here. What the others did not ask is asked here, as far as the money of
// all of them lasts.
export function startAhead(workers: MakeWorkers, limit: number | undefined, say: (line: string) => void) {
  let replies = new Map<string, MakeReply[]>()
  let spent = 0
  let spentHere = 0
  let finishedStep: string | undefined // the step that the others have asked, they say, all of
  let here = 0 // calls of it that were asked here all the same
  const tell = () => {
    if (here > 0)
      say(
        `${finishedStep}: ${here} calls were asked here, as the workers' requests differed: have they another ffmpeg?`,
      )
    here = 0
  }
  const before = new Map<string, number>() // replies to equal requests of the steps before
  const ahead: AskAhead = async steps => {
    tell()
    for (const [key, { length }] of replies) before.set(key, length + (before.get(key) ?? 0))
    const stepResult = steps.length > 0 ? await workers.ask(steps) : { calls: [], isAll: false, spent }
    finishedStep = stepResult.isAll ? steps[0]?.name : undefined
    const byKey = groupBy(stepResult.calls, ({ key }) => key)
    replies = new Map([...byKey].map(([key, calls]) => [key, calls.map(({ answered }) => answered)]))
    spent = stepResult.spent
  }
  // By its number: those that are in made/calls are not asked for.
  const answer = async ({ key, n, price, own }: ToAsk): Promise<MakeReply> => {
    const storedReply = replies.get(key)?.[n - 1 - (before.get(key) ?? 0)]
    if (storedReply) return storedReply
    checkMoney(spent + spentHere, limit)
    const answered = await own()
    spentHere += usageCost(answered.reply.usage, price)
    if (finishedStep !== undefined) here++
    return answered
  }
  return { ahead, answer, tell }
}

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
