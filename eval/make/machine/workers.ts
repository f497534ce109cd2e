import { groupBy } from '../../../src/core/basics/group-by.ts'
import { usageCost } from '../../../src/runtime/models/prices.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import type { KeptCall } from './kept-calls.ts'
import { checkMoney, type MakeReply, type ToAsk } from './roles.ts'
import type { SentMaking, SentStep } from './sent-making.ts'

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
