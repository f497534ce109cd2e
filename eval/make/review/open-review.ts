import { join } from 'node:path'
import { z } from 'zod'
import { Refused } from '../../../src/core/api/problem.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import { withLock } from '../../../src/store/lock.ts'
import { listNames, parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import type { MadeSet } from '../../data/benchmark-json.ts'
import { explainFirstIssue } from '../../data/parse-record.ts'
import type { PageFile } from '../../report/page/page-file.ts'
import { applyReview, checkWritable } from './apply-review.ts'
import { checkSaid } from './check-said.ts'
import { eventMarks } from './events.ts'
import { reviewPage, servedVideo } from './page.ts'
import type { ReviewStep } from './page-data.ts'
import { openItems, queueOrder } from './queue.ts'
import {
  flaggedItems,
  lockAs,
  readReviewSet,
  readReviews,
  reviewFolder,
  verdictFile,
  verdictFolder,
} from './review-set.ts'
import { type ReviewLine, ReviewVerdict } from './verdict.ts'
import { extractStill, type ReviewVideo, reviewVideos } from './videos.ts'
import { itemView } from './view.ts'

interface ReviewWish {
  folder: string
  reviewer: string
  share: number // of the items, for two people
  signal: AbortSignal
}

const Filter = z.strictObject({ kind: z.string().optional(), flagged: z.boolean().optional() })

// One person's work on a set. Several may run at once on the same folder: each writes a file of their own, and is not given what
// another looks at.
export interface Review {
  reviewer: string
  page(): Promise<PageFile>
  videos: readonly ReviewVideo[]
  asks: {
    next(filter: unknown): Promise<ReviewStep>
    say(said: unknown): Promise<object> // on the disk itself when it returns
    undo(): Promise<ReviewStep>
  }
  still(video: string, time: number): Promise<Uint8Array | undefined>
  close(): Promise<MadeSet | undefined> // the set as it is written after all that was said
}

const Look = z.object({ item: z.string(), at: z.number() })
const lookedFor = 20 * 60_000 // after so long without a word whoever looked at an item has gone

export async function openReview({ folder, reviewer, share, signal }: ReviewWish): Promise<Review> {
  const setNow = () => readReviewSet(folder) // others write questions while this runs, and take them back
  const begun = await setNow()
  const lock = await lockAs(folder, reviewer)
  try {
    for (const reviewPath of [verdictFolder(folder), join(folder, reviewFolder, '.turn')])
      await ensureFolder(reviewPath, 'umask')
    const videos = await reviewVideos(begun)
    const lines = await openJsonLines(verdictFile(folder, reviewer), 'each-line', 'umask')
    let looking: string | undefined
    const look = (item: string | undefined) => {
      looking = item
      return writeDurably(
        join(lock.own, 'looks-at.json'),
        `${JSON.stringify(item === undefined ? null : { item, at: Date.now() })}\n`,
        'umask',
      )
    }
    // Whoever looks for long is not gone while this runs.
    const renewal = setInterval(() => void look(looking).catch(() => {}), lookedFor / 2).unref()
    const savedIds: string[] = [] // in the order in which things were said here

    const next = async (filter: unknown): Promise<ReviewStep> => {
      const parsedFilter = parseShape(Filter, filter)
      // One after another over all servers of this set: two who ask at once are given two items.
      return withLock(join(folder, reviewFolder, '.turn'), () => nextFor(parsedFilter), { signal })
    }
    const nextFor = async ({ kind, flagged: only }: z.infer<typeof Filter>): Promise<ReviewStep> => {
      const set = await setNow()
      const { reviews } = await readReviews(set)
      const flagged = flaggedItems(set)
      const order = queueOrder(set.items, { flagged, share, seed: set.wish.seed })
      const otherReviewers = await lookedAt(folder, reviewer)
      const open = openItems(order, reviews, reviewer, otherReviewers)
      const fitting = open.filter(item => (kind === undefined || item.kind === kind) && (!only || flagged.has(item.id)))
      const [item] = fitting
      await look(item?.id)
      const doneCount = set.items.filter(({ id }) => reviews.of(id).has(reviewer)).length
      const markOf = eventMarks(set.items, reviews, reviewer)
      return {
        ...(item && { item: itemView(item, set, { markOf }) }),
        done: doneCount,
        left: open.length,
        total: set.items.length,
      }
    }

    const say = async (body: unknown) => {
      const reviewVerdict = parseShape(ReviewVerdict, body)
      const set = await setNow()
      const line: ReviewLine = {
        ...(await checkSaid(reviewVerdict, reviewer, set, signal)),
        reviewer,
        at: new Date().toISOString(),
      }
      if (line.fixed?.clues) await checkWritable({ ...set, pending: [line] }, signal)
      await lines.append(line)
      savedIds.push(reviewVerdict.item)
      return {}
    }
    const undo = async (): Promise<ReviewStep> => {
      const set = await setNow()
      const { reviews } = await readReviews(set)
      const id = savedIds.at(-1)
      const item = set.items.find(one => one.id === id)
      const before = item && reviews.of(item.id).get(reviewer)
      if (!before) throw new Refused('unknown', 'There is nothing to take back since the start.')
      const about = { item: item.id, itemHash: before.itemHash, reviewer, at: new Date().toISOString() }
      await lines.append({ ...about, seconds: 0, reasons: [], verdict: 'undone' } satisfies ReviewLine)
      savedIds.pop()
      const step = await next({})
      await look(item.id)
      return { ...step, item: itemView(item, set, { before }) }
    }

    return {
      reviewer,
      videos,
      asks: { next, say, undo },
      page: async () => reviewPage({ mode: 'served', set: await setNow(), reviewer, videos: videos.map(servedVideo) }),
      async still(id, time) {
        const video = videos.find(one => one.id === id)
        return video && extractStill(video, time, signal)
      },
      async close() {
        clearInterval(renewal)
        await look(undefined)
        lock.release()
        return applyReview(folder, new AbortController().signal)
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

export function parseShape<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(value)
  if (error)
    throw new UsageError(`What was said cannot be read: ${explainFirstIssue(error, 'it')}.`, {
      hint: 'Load the page again.',
    })
  return data
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
