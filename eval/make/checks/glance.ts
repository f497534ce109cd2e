import { type ChatModel, type ContentPart, text } from '../../../src/core/chat.ts'
import { drawFor } from '../../../src/core/draws.ts'
import { letterAt, optionLines } from '../../metrics/choice/options.ts'
import { readChoice } from '../../metrics/choice/read-choice.ts'
import type { Check, CheckGiven, DraftItem } from '../item.ts'
import { replyOf } from './parts/ask.ts'
import { picturesAt, spreadOver } from './parts/pictures.ts'
import { isChoice } from './parts/solvers.ts'
import { type Fault, verdictOf } from './parts/verdicts.ts'
import { isJudgedRight } from './parts/without-pictures.ts'

// K9. What a small model sees in a few frames. `choice` and `open` say which it answers; an item goes where it is right in all of them.
export const glance: Check = {
  k: 9,
  name: 'glance',
  role: 'glance',
  calls: (items, given) =>
    given.models('glance').length *
    items.reduce((sum, item) => sum + Number(asksChoice(item, given)) + 2 * Number(asksOpen(given)), 0),
  async run(items, given) {
    const verdicts = []
    for (const item of items) verdicts.push(verdictOf(item, await glanced(item, given)))
    return verdicts
  },
}

async function glanced(item: DraftItem, given: CheckGiven): Promise<Fault | undefined> {
  const models = given.models('glance')
  if (models.length === 0 || !(asksChoice(item, given) || asksOpen(given))) return undefined
  const times = timesOf(item, given)
  const images = await picturesAt(item.video, times, given)
  const replies: (string | null)[] = []
  const right: boolean[] = []
  for (const model of models) {
    if (asksChoice(item, given)) right.push(await isChosen(item, model, images, replies, given))
    if (asksOpen(given)) right.push(await isAnswered(item, model, images, replies, given))
  }
  if (!right.every(Boolean)) return undefined
  return { detail: `right from ${times.length} ${times.length === 1 ? 'frame' : 'frames'}`, replies }
}

function asksChoice(item: DraftItem, { thresholds: { choice = 1 } }: CheckGiven): boolean {
  return choice > 0 && isChoice(item)
}

function asksOpen({ thresholds: { open = 0 } }: CheckGiven): boolean {
  return open > 0
}

// One frame: a second drawn for the item. More: evenly over the video.
function timesOf({ id, video }: DraftItem, { seed, record, thresholds: { frames = 8 } }: CheckGiven): number[] {
  const { duration } = record(video).statistics
  if (frames === 1) return [Math.floor(drawFor(seed, id, 'glance')() * duration)]
  return spreadOver([[0, duration]], frames)
}

async function isChosen(
  item: DraftItem,
  model: ChatModel,
  images: ContentPart[],
  replies: (string | null)[],
  { signal }: CheckGiven,
) {
  const { options = [], right = -1 } = item
  const wanted = `${item.question}\n${optionLines(options)}\n\nReply with the letter of the most likely option alone.`
  const content = [...images, ...text(wanted)]
  const said = await replyOf(
    model,
    { purpose: 'look', messages: [{ role: 'user', content }], temperature: 0, maxTokens: 256 },
    signal,
  )
  replies.push(said)
  return readChoice(said, { count: options.length, texts: options }).letter === letterAt(right)
}

// Judged by the model itself, as the paper has it.
async function isAnswered(
  item: DraftItem,
  model: ChatModel,
  images: ContentPart[],
  replies: (string | null)[],
  given: CheckGiven,
) {
  const content = [...images, ...text(`${item.question}\n\nAnswer in one sentence at most.`)]
  const said = await replyOf(
    model,
    { purpose: 'look', messages: [{ role: 'user', content }], temperature: 0, maxTokens: 256 },
    given.signal,
  )
  replies.push(said)
  return said !== null && isJudgedRight(item, said, given, model)
}
