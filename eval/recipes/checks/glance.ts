import { drawFor } from '../../../src/core/basics/draws.ts'
import { countPhrase } from '../../../src/core/words/counted.ts'
import type { CheckGiven, DraftItem, ItemCheck } from '../item.ts'
import { isJudgedRight } from './parts/judged-right.ts'
import { type ItemSight, isChosen, readItemPictures, saidTo, spreadOver } from './parts/pictures.ts'
import { type ChoiceItem, isChoice } from './parts/solvers.ts'
import { eachItem, type ItemFault } from './parts/verdicts.ts'

// K9. What a small model sees in a few frames. `choice` and `open` say which it answers; an item goes where it is right in all of them.
export const glance: ItemCheck = {
  k: 9,
  name: 'glance',
  role: 'glance',
  calls: (items, given) =>
    given.models('glance').length *
    items.reduce((sum, item) => sum + Number(asksChoice(item, given)) + 2 * Number(asksOpen(given)), 0),
  run: (items, given) => eachItem(items, item => glanced(item, given)),
}

async function glanced(item: DraftItem, given: CheckGiven): Promise<ItemFault | undefined> {
  const models = given.models('glance')
  if (models.length === 0 || !(asksChoice(item, given) || asksOpen(given))) return undefined
  const times = drawTimes(item, given)
  const { images: material, brief } = await readItemPictures(given.record(item.video), times, at =>
    given.frames(item.video, at),
  )
  const replies: (string | null)[] = []
  const right: boolean[] = []
  for (const model of models) {
    const sight = { model, material, brief, replies, signal: given.signal }
    if (asksChoice(item, given)) right.push(await isChosen(item.question, item, 'most likely', sight))
    if (asksOpen(given)) right.push(await isAnswered(item, sight, given))
  }
  if (!right.every(Boolean)) return undefined
  return { detail: `right from ${countPhrase(times.length, 'frame')}`, replies }
}

function asksChoice(item: DraftItem, { thresholds: { choice = 1 } }: CheckGiven): item is ChoiceItem {
  return choice > 0 && isChoice(item)
}

const asksOpen = ({ thresholds: { open = 0 } }: CheckGiven) => open > 0

// One frame: a second drawn for the item. More: evenly over the video.
function drawTimes({ id, video }: DraftItem, { seed, record, thresholds: { frames = 8 } }: CheckGiven): number[] {
  const { duration } = record(video).statistics
  if (frames === 1) return [Math.floor(drawFor(seed, id, 'glance')() * duration)]
  return spreadOver([[0, duration]], frames)
}

// Judged by the model itself, as the paper has it.
async function isAnswered(item: DraftItem, sight: ItemSight, given: CheckGiven): Promise<boolean> {
  const openReply = await saidTo(`${item.question}\n\nAnswer in one sentence at most.`, sight)
  return openReply !== null && isJudgedRight(item, openReply, given, sight.model)
}
