import { join } from 'node:path'
import { z } from 'zod'
import { Refused } from '../../../src/core/api/problem.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import { withLock } from '../../../src/store/lock.ts'
import { listNames, parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { checkWritable } from './apply-review.ts'
import { checkSaid } from './check-said.ts'
import { eventMarks } from './events.ts'
import { reviewPage } from './page.ts'
import type { ReviewStep } from './page-data.ts'
import { openItems, queueOrder } from './queue.ts'
import { flaggedItems, readReviewSet, readReviews, reviewFolder, verdictFile, verdictFolder } from './review-set.ts'
import { openSession, parseShape, type ReviewSession } from './session.ts'
import { type ReviewLine, ReviewVerdict } from './verdict.ts'
import { itemView } from './view.ts'

interface ReviewWish {
  folder: string
  reviewer: string
  share: number // of the items, for two people
  signal: AbortSignal
}

const Filter = z.strictObject({ kind: z.string().optional(), flagged: z.boolean().optional() })

// Nobody is given what another looks at.
export type Review = ReviewSession<{
  next(filter: unknown): Promise<ReviewStep>
  say(said: unknown): Promise<object> // on the disk itself when it returns
  undo(): Promise<ReviewStep>
}>

const Look = z.object({ item: z.string(), at: z.number() })
const lookedFor = 20 * 60_000 // after so long without a word whoever looked at an item has gone

export async function openReview({ folder, reviewer, share, signal }: ReviewWish): Promise<Review> {
  const setNow = () => readReviewSet(folder) // others write questions while this runs, and take them back
  const turnFolder = join(folder, reviewFolder, '.turn')
  return openSession(await setNow(), reviewer, signal, async own => {
    for (const path of [verdictFolder(folder), turnFolder]) await ensureFolder(path, 'umask')
    const lines = await openJsonLines(verdictFile(folder, reviewer), 'each-line', 'umask')
    let looking: string | undefined
    const look = (item: string | undefined) => {
      looking = item
      const line = item === undefined ? null : { item, at: Date.now() }
      return writeDurably(join(own, 'looks-at.json'), `${JSON.stringify(line)}\n`, 'umask')
    }
    // Whoever looks for long is not gone while this runs.
    const renewal = setInterval(() => void look(looking).catch(() => {}), lookedFor / 2).unref()
    const savedIds: string[] = [] // in the order in which things were said here

    const nextFor = async ({ kind, flagged: only }: z.infer<typeof Filter>): Promise<ReviewStep> => {
      const set = await setNow()
      const { items } = set
      const { reviews } = await readReviews(set)
      const flagged = flaggedItems(set)
      const order = queueOrder(items, { flagged, share, seed: set.wish.seed })
      const open = openItems(order, reviews, reviewer, await lookedAt(folder, reviewer))
      const item = open.find(one => (kind === undefined || one.kind === kind) && (!only || flagged.has(one.id)))
      await look(item?.id)
      return {
        item: item && itemView(item, set, { markOf: eventMarks(items, reviews, reviewer) }),
        done: items.filter(({ id }) => reviews.of(id).has(reviewer)).length,
        left: open.length,
        total: items.length,
      }
    }
    // One after another over all servers of this set: two who ask at once are given two items.
    const next = async (filter: unknown) => {
      const parsedFilter = parseShape(Filter, filter)
      return withLock(turnFolder, () => nextFor(parsedFilter), { signal })
    }
    const stamp = () => ({ reviewer, at: new Date().toISOString() })
    const say = async (body: unknown) => {
      const set = await setNow()
      const line: ReviewLine = {
        ...(await checkSaid(parseShape(ReviewVerdict, body), reviewer, set, signal)),
        ...stamp(),
      }
      if (line.fixed?.clues) await checkWritable({ ...set, pending: [line] }, signal)
      await lines.append(line)
      savedIds.push(line.item)
      return {}
    }
    const undo = async (): Promise<ReviewStep> => {
      const set = await setNow()
      const { reviews } = await readReviews(set)
      const item = set.items.find(({ id }) => id === savedIds.at(-1))
      const before = item && reviews.of(item.id).get(reviewer)
      if (!before) throw new Refused('unknown', 'There is nothing to take back since the start.')
      const about = { item: item.id, itemHash: before.itemHash, ...stamp() }
      await lines.append({ ...about, seconds: 0, reasons: [], verdict: 'undone' } satisfies ReviewLine)
      savedIds.pop()
      const step = await next({})
      await look(item.id)
      return { ...step, item: itemView(item, set, { before }) }
    }
    return {
      asks: { next, say, undo },
      page: async videos => reviewPage({ mode: 'served', set: await setNow(), reviewer, videos }),
      async end() {
        clearInterval(renewal)
        await look(undefined)
      },
    }
  })
}

async function lookedAt(folder: string, reviewer: string): Promise<string[]> {
  const reviewPlace = join(folder, reviewFolder)
  const names = (await listNames(reviewPlace)).filter(name => name !== reviewer && !name.startsWith('.'))
  const texts = await Promise.all(names.map(name => readTextFile(join(reviewPlace, name, 'looks-at.json'))))
  return texts.flatMap(text => {
    const look = Look.safeParse(parseStoredJson(text))
    return look.success && Date.now() - look.data.at < lookedFor ? [look.data.item] : []
  })
}
