import { join } from 'node:path'
import type { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { ensureFolder } from '../../../src/store/durable.ts'
import { tryLock } from '../../../src/store/lock.ts'
import type { MadeSet } from '../../data/benchmark-json.ts'
import { explainFirstIssue } from '../../data/parse-record.ts'
import type { PageFile } from '../../report/page/page-file.ts'
import { applyReview } from './apply-review.ts'
import { pageVideo } from './page.ts'
import type { PageVideo } from './page-data.ts'
import { type ReviewSet, reviewFolder } from './review-set.ts'
import { checkReviewer } from './verdict.ts'
import { extractStill, type ReviewVideo, reviewVideos } from './videos.ts'

// One person's work on a set, as the server offers it. Several people may be at work on one set: each writes a file of their own.
export interface ReviewSession<Asks> {
  reviewer: string
  page(): Promise<PageFile>
  videos: readonly ReviewVideo[]
  asks: Asks
  still(video: string, time: number): Promise<Uint8Array | undefined>
  close(): Promise<MadeSet | undefined> // the set as it is written with all that was said and written
}

interface SessionWork<Asks> {
  asks: Asks
  page(videos: PageVideo[]): Promise<PageFile>
  end?(): Promise<void>
}

// `open` gets the folder of this person.
export async function openSession<Asks>(
  set: ReviewSet,
  reviewer: string,
  signal: AbortSignal,
  open: (own: string) => Promise<SessionWork<Asks>>,
): Promise<ReviewSession<Asks>> {
  const reviewerFolder = join(set.folder, reviewFolder, checkReviewer(reviewer))
  await ensureFolder(reviewerFolder, 'umask')
  const lock = await tryLock(reviewerFolder)
  if (!lock)
    throw new UsageError(`Somebody reviews this set as ${reviewer} already.`, {
      hint: 'Close that one, or give another name with --as.',
    })
  try {
    const videos = await reviewVideos(set)
    const { asks, page, end } = await open(reviewerFolder)
    return {
      reviewer,
      videos,
      asks,
      page: () => page(videos.map(video => pageVideo(video, `video/${encodeURIComponent(video.id)}`))),
      async still(id, time) {
        const video = videos.find(one => one.id === id)
        return video && extractStill(video, time, signal)
      },
      async close() {
        await end?.()
        lock.release()
        return applyReview(set.folder, new AbortController().signal)
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

// What the page said, by its shape.
export function parseShape<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(value)
  if (!error) return data
  throw new UsageError(`What was said cannot be read: ${explainFirstIssue(error, 'it')}.`, {
    hint: 'Load the page again.',
  })
}
