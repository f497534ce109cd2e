import { Refused } from '../../../src/core/api/problem.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import type { DraftItem, ItemInterval } from '../../recipes/item.ts'
import { faultOfFix, fixedItem, fixWish, placedFix } from './fix.ts'
import { readWriter } from './people/written.ts'
import type { Reviews } from './queue.ts'
import { type ReviewSet, readReviews } from './review-set.ts'
import { settleReviews } from './settle.ts'
import type { ReviewVerdict, Undone } from './verdict.ts'

// The items as people want them so far: without what they dropped, and with what they fixed.
export function standing(items: readonly DraftItem[], reviews: Reviews): DraftItem[] {
  return items.flatMap(item => {
    const outcome = settleReviews(reviews.of(item.id))
    return outcome.is === 'dropped' ? [] : [outcome.is === 'fixed' ? fixedItem(item, outcome.fixed) : item]
  })
}

// Refuses what is said of an item as it no longer is, of one's own, and a fix that changes nothing or that the checks do not pass.
export async function checkSaid<S extends ReviewVerdict | Undone>(
  said: S,
  reviewer: string,
  set: ReviewSet,
  signal: AbortSignal,
): Promise<S> {
  const { items, hashes } = set
  const item = items.find(({ id }) => id === said.item)
  if (!item) throw new Refused('unknown', `There is no item "${said.item}" in this set.`)
  if (readWriter(item) === reviewer)
    throw new Refused('conflict', `${reviewer} wrote ${item.id}, so somebody else says what it is worth.`)
  if (said.itemHash !== hashes.get(item.id))
    throw new Refused('changed', `${item.id} has changed since it was shown.`, 'Load the page again.')
  if (said.verdict !== 'undone') checkTimes(said, item, set)
  if (said.verdict !== 'fix' || !said.fixed) return said
  const fixed = placedFix(said.fixed, item)
  const now = fixedItem(item, fixed)
  if (stableJson(now) === stableJson(item))
    throw new UsageError(`The fix of ${item.id} changes nothing.`, {
      hint: item.options
        ? 'Fix its question, options or clues; options say which one is right.'
        : 'Keep it, or drop it.',
    })
  const { reviews } = await readReviews(set)
  const fault = await faultOfFix(now, item, standing(items, reviews), fixWish(set, signal))
  if (fault !== undefined)
    throw new UsageError(`The fixed ${item.id} does not pass the checks: ${fault}.`, {
      hint: 'Fix that too, or drop it.',
    })
  return { ...said, fixed }
}

function checkTimes({ clues = [], events = {} }: ReviewVerdict, item: DraftItem, { records }: ReviewSet): void {
  const duration = records.find(({ video_id }) => video_id === item.video)?.statistics.duration ?? 0
  const refuseLate = (times: readonly ItemInterval[], what: string) => {
    const late = times.find(([, end]) => end > duration)
    if (late)
      throw new UsageError(`${late.join('-')} of ${what} leaves ${item.video}.`, {
        hint: `Times are seconds, and the video lasts ${duration}.`,
      })
  }
  refuseLate(clues, `the clues of ${item.id}`)
  for (const [event, mark] of Object.entries(events)) {
    if (!item.events?.list.includes(event))
      throw new UsageError(`${item.id} has no event ${JSON.stringify(event)}.`, {
        hint: `Its events: ${item.events?.list.join('; ') ?? 'none'}.`,
      })
    refuseLate(mark === 'absent' ? [] : mark, `the event ${JSON.stringify(event)}`)
  }
}
