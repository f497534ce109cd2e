import type { Reviewed } from '../../data/benchmark-json.ts'
import { totalLength } from '../../metrics/intervals.ts'
import { mean } from '../../metrics/statistics/clusters.ts'
import type { DraftItem, ItemInterval } from '../../recipes/item.ts'
import { cluesSaid, eventTimes, type MarkOf, mergeCertificate } from './events.ts'
import { faultOfFix, fixWish } from './fix.ts'
import type { Reviews } from './queue.ts'
import type { ReviewSet } from './review-set.ts'

interface WithTimes {
  items: DraftItem[]
  further: DraftItem[] // that follow from the times
  certificates?: Reviewed['certificates']
}

// What is left of a set, with the times that people gave as its clues where the recipe wants them. A question that follows from these
// is held to the checks that ask no model.
export async function withTimes(
  left: readonly DraftItem[],
  set: ReviewSet,
  { reviews, markOf }: { reviews: Reviews; markOf: MarkOf },
  signal: AbortSignal,
): Promise<WithTimes> {
  const { recipe, settings, wish } = set
  if (!recipe.byTimes) return { items: [...left], further: [] }
  const timed = left.flatMap(item => {
    const times = eventTimes(item, markOf)
    return times ? [{ item, times }] : []
  })
  const timesByItem = new Map(timed.map(({ item, times }) => [item.id, times.flat()]))
  const timesSaid = (item: DraftItem) =>
    timesByItem.get(item.id) ?? (item.events ? undefined : cluesSaid(reviews.of(item.id)))
  const certified = left.map(item => {
    const certificate = mergeCertificate(timesSaid(item) ?? [])
    return { item: certificate.length > 0 ? { ...item, clues: certificate } : item, certificate }
  })
  const items = certified.map(({ item }) => item)
  const further: DraftItem[] = []
  for (const { item: draft, from } of recipe.byTimes(timed, settings, wish.seed)) {
    const item = { ...draft, clues: mergeCertificate(draft.clues) }
    const fault = await faultOfFix(item, from, [...items, ...further], fixWish(set, signal))
    if (fault === undefined) further.push(item)
  }
  const foundTimes = [...certified.map(({ certificate }) => certificate), ...further.map(({ clues }) => clues)]
  return { items, further, certificates: summarizeCertificates(foundTimes.filter(clues => clues.length > 0)) }
}

function summarizeCertificates(certificates: readonly ItemInterval[][]): Reviewed['certificates'] {
  if (certificates.length === 0) return undefined
  const pieces = mean(certificates.map(({ length }) => length))
  return { questions: certificates.length, pieces, seconds: mean(certificates.map(totalLength)) }
}
