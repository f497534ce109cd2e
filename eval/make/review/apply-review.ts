import { basename, extname, join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { ensureFolder } from '../../../src/store/durable.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { withLock } from '../../../src/store/lock.ts'
import { listNames } from '../../../src/store/read-file.ts'
import type { MadeSet, Reviewed } from '../../data/benchmark-json.ts'
import { sortedCounts } from '../../recipes/checks/spread.ts'
import type { DraftItem } from '../../recipes/item.ts'
import { goneWith } from '../machine/run-checks.ts'
import { checkClips } from '../set/clue-clips.ts'
import { byPlace, dealLetters } from '../set/deal-letters.ts'
import { rejectedFile, writeContent } from '../set/write-set.ts'
import { readVideos } from '../source/videos-json.ts'
import { eventMarks, faultOfEvents, type MarkOf } from './events.ts'
import { faultOfFix, fixedItem, fixWish } from './fix.ts'
import { readWriter, writtenFolder } from './people/written.ts'
import { type ReviewSet, readReviewSet, readReviews, reviewFolder, verdictFolder } from './review-set.ts'
import { humanRow, minKappa, type ReviewOutcome, reviewerAgreement, settleReviews } from './settle.ts'
import { withTimes } from './with-times.ts'

const check = 'review' // as funnels name it
const Rejected = z.looseObject({ item: z.string(), video: z.string(), check: z.string(), detail: z.string() })

// Writes the set as people left it: what they dropped is out, what they fixed is in as fixed, and card and benchmark.json say how many
// have seen what. Undefined if nobody has said anything. It begins from the making each time, so it may be repeated.
export async function applyReview(folder: string, signal: AbortSignal): Promise<MadeSet | undefined> {
  const reviewFiles = await Promise.all([verdictFolder(folder), writtenFolder(folder)].map(listNames))
  if (reviewFiles.flat().length === 0) return undefined
  const lockFile = join(folder, reviewFolder, '.apply')
  await ensureFolder(lockFile, 'umask')
  return withLock(lockFile, () => apply(folder, signal), { signal })
}

async function apply(folder: string, signal: AbortSignal): Promise<MadeSet | undefined> {
  const set = await readReviewSet(folder)
  const after = await afterReview(set, signal)
  return after && writeContent(folder, set.recipe, after.content, after.about, after.describe)
}

// Refuses what is pending where the set could not be written with it, as its clips need a video that is gone.
export async function checkWritable(set: ReviewSet, signal: AbortSignal): Promise<void> {
  if (!set.recipe.clips) return
  const newSet = await afterReview(set, signal)
  const clips = newSet && set.recipe.clips(newSet.content)
  if (clips) await checkClips(set.folder, clips)
}

async function afterReview(given: ReviewSet, signal: AbortSignal) {
  const { folder } = given
  const { reviews, lines } = await readReviews(given)
  const people = given.items.filter(item => readWriter(item) !== undefined).length
  if (lines.length + people === 0 && given.set.counts.people === undefined) return undefined
  const { set, items, records, wish, flags, warnings } = given
  const markOf = eventMarks(items, reviews)
  const outcomes = items.map(item => ({ item, outcome: byEvents(item, settleReviews(reviews.of(item.id)), markOf) }))
  const settled = withOthers(await settle(given, outcomes, signal), given)
  const checkRejections = await readJsonLines(join(folder, rejectedFile), Rejected)
  const dropped = settled.flatMap(({ item: { id, video }, outcome }) => {
    if (outcome.is !== 'dropped') return []
    return [{ item: id, video, check, reasons: outcome.reasons.length > 0 ? outcome.reasons : ['no reason given'] }]
  })
  const keptItems = settled.flatMap(({ item, outcome }) => (outcome.is === 'dropped' ? [] : [item]))
  const timed = await withTimes(keptItems, given, { reviews, markOf }, signal)
  const allItems = [...timed.items, ...timed.further]
  const agreement = reviewerAgreement(items, reviews)
  const reviewLines = items.flatMap(({ id }) => [...reviews.of(id).values()])
  const reviewed: Reviewed = {
    items: items.filter(({ id }) => reviews.of(id).size > 0).length,
    twice: agreement.kappa.n === 0 ? 0 : items.filter(({ id }) => reviews.of(id).size > 1).length,
    kappa: agreement.kappa.value,
    alpha: agreement.alpha,
    clueIoU: agreement.clueIoU,
    pairs: agreement.pairs,
    of: items.length,
    outcomes: countOutcomes(settled),
    reasons: sortedCounts(dropped.flatMap(({ reasons }) => reasons)),
    ...(timed.certificates && { certificates: timed.certificates }),
    seconds: Math.round(reviewLines.reduce((sum, { seconds }) => sum + seconds, 0)),
    stale: reviews.stale,
    human: humanRow(items, reviews),
    humanOfSet: humanRow(
      items.filter((_, at) => settled[at] && isAsShown(settled[at].outcome)),
      reviews,
    ),
  }
  const rejected = [
    ...checkRejections.filter(line => line.check !== check),
    ...dropped.map(({ reasons, ...line }) => ({ ...line, detail: reasons.join(', ') })),
  ]
  const videos = await readVideos(folder)
  const content = {
    items: dealLetters(byPlace(allItems), wish.seed),
    records,
    canary: set.canary,
    videoFiles: new Map(videos.map(({ name }) => [basename(name, extname(name)), name])),
    settings: given.settings,
  }
  const about = {
    rejected,
    flags,
    warnings: [...warnings, ...doubts(reviewed), ...unfiltered(given, people, timed.further.length)],
    licence: wish.licence,
    signal,
  }
  const byTimes = timed.further.length
  const before = (set.counts.people ?? 0) + (set.counts.byTimes ?? 0)
  const drafted = set.counts.drafted - before + people + byTimes
  const counts = {
    ...set.counts,
    drafted,
    ...(people + (set.counts.people ?? 0) > 0 && { people }),
    ...(byTimes + (set.counts.byTimes ?? 0) > 0 && { byTimes }),
    kept: allItems.length,
    rejected: sortedCounts(rejected.map(one => one.check)),
  }
  const describe = (annotations: string[]): MadeSet => ({ ...set, annotations, counts, reviewed })
  return { content, about, describe }
}

function isAsShown({ is }: ReviewOutcome): boolean {
  return is === 'kept' || is === 'open'
}

// What came with the review was held to the checks without a model.
function unfiltered({ recipe }: ReviewSet, people: number, byTimes: number): string[] {
  const asking = (how: 'role' | 'optionalRole') =>
    recipe.checks.flatMap(({ check }) => (check[how] ? [check.name] : [])).join(', ')
  const [filters, byRules] = [asking('role'), asking('optionalRole')]
  const came = [
    ...(people > 0 ? [`${people} questions were written by people`] : []),
    ...(byTimes > 0 ? [`${byTimes} questions follow from the times of events, and no reviewer has seen them`] : []),
  ]
  const notRun = [
    ...(filters ? [`the filters that ask a model (${filters}) were not run on them`] : []),
    ...(byRules ? [`those that may ask one (${byRules}) went by their rules only`] : []),
  ]
  return came.map(what => `${[what, ...notRun].join('; ')}.`)
}

// Whatever is said of a question, it goes where one of the events that it has, once fixed, is not there or comes at another time.
function byEvents(item: DraftItem, outcome: ReviewOutcome, markOf: MarkOf): ReviewOutcome {
  const now = outcome.is === 'fixed' ? fixedItem(item, outcome.fixed) : item
  const fault = outcome.is === 'dropped' ? undefined : faultOfEvents(now, markOf)
  return fault === undefined ? outcome : { is: 'dropped', reasons: [fault] }
}

interface Settled {
  item: DraftItem // as fixed
  outcome: ReviewOutcome
}

// A fix that the checks no longer pass, because the set was made anew since or another was fixed to the same, is out. What an item
// said before its fix holds nothing against others.
async function settle(set: ReviewSet, all: Settled[], signal: AbortSignal): Promise<Settled[]> {
  const settled: Settled[] = []
  const itemsLeft = all.flatMap(({ item, outcome }) => (isAsShown(outcome) ? [item] : []))
  for (const { item, outcome } of all) {
    const now = outcome.is === 'fixed' ? fixedItem(item, outcome.fixed) : item
    const fault = now === item ? undefined : await faultOfFix(now, item, itemsLeft, fixWish(set, signal))
    if (fault !== undefined) settled.push({ item, outcome: { is: 'dropped', reasons: [fault] } })
    else settled.push({ item: now, outcome })
    if (fault === undefined && now !== item) itemsLeft.push(now)
  }
  return settled
}

// What stays or goes together, as the turns of a conversation, goes where one of it is dropped.
export function withOthers(settled: readonly Settled[], { items, recipe }: ReviewSet): Settled[] {
  const dropped = settled.filter(({ outcome }) => outcome.is === 'dropped').map(({ item }) => item)
  const gone = dropped.map(({ id, video }) => ({ item: id, video, check, k: 0, detail: '' }))
  const dependentIds = new Set(goneWith(gone, items, recipe.rules).map(({ item }) => item))
  const reasons = [`its ${recipe.rules.together} is gone`]
  return settled.map(one => (dependentIds.has(one.item.id) ? { ...one, outcome: { is: 'dropped', reasons } } : one))
}

function countOutcomes(settled: readonly Settled[]): Record<string, Record<string, number>> {
  const kinds = groupBy(settled, ({ item }) => item.kind)
  return Object.fromEntries(
    [...kinds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, of]) => [kind, sortedCounts(of.map(one => one.outcome.is))]),
  )
}

function doubts({ kappa, twice = 0 }: Reviewed): string[] {
  if (typeof kappa !== 'number' || kappa >= minKappa) return []
  return [
    `The reviewers agree with a kappa of ${kappa.toFixed(2)} on ${twice} questions, below ${minKappa}: what is kept depends on who was asked.`,
  ]
}
