import { dirname, join, relative, sep } from 'node:path'
import { pageVideo, reviewPage } from './page.ts'
import type { PageVideo } from './page-data.ts'
import { openItems, queueOrder } from './queue.ts'
import { flaggedItems, readReviewSet, readReviews } from './review-set.ts'
import { checkReviewer } from './verdict.ts'
import { extractStill, type ReviewVideo, reviewVideos, stillTimes } from './videos.ts'
import { itemView } from './view.ts'

const stillBytes = 24_000_000 // all together; the page must open on any machine

interface StaticWish {
  folder: string
  file: string // that the page becomes: videos are found by their path from there
  reviewer?: string
  share: number
  signal: AbortSignal
}

// The page for somebody without longtake: it opens offline, and saves its verdicts as a file for --import.
export async function staticPage(wish: StaticWish): Promise<{ html: string; items: number }> {
  const { reviewer, share } = wish
  const set = await readReviewSet(wish.folder)
  const { reviews } = await readReviews(set)
  const flagged = flaggedItems(set)
  const order = queueOrder(set.items, { flagged, share, seed: set.wish.seed })
  const open = reviewer === undefined ? order.items : openItems(order, reviews, checkReviewer(reviewer))
  const items = open.map(item => itemView(item, set))
  const videoNames = new Set(items.map(({ video }) => video))
  const budget = { left: stillBytes }
  const videos: PageVideo[] = []
  for (const video of await reviewVideos(set))
    if (videoNames.has(video.id)) videos.push(await offline(video, wish, budget))
  return { html: reviewPage({ mode: 'static', set, reviewer, videos, items }).html, items: items.length }
}

async function offline(
  video: ReviewVideo,
  { folder, file, signal }: StaticWish,
  budget: { left: number },
): Promise<PageVideo> {
  const path = relative(dirname(file), join(folder, video.file)).split(sep).map(encodeURIComponent).join('/')
  const stills: [number, string][] = []
  for (const time of stillTimes(video)) {
    const still = await extractStill(video, time, signal)
    if (!still || still.length > budget.left) continue
    budget.left -= still.length
    stills.push([time, `data:image/jpeg;base64,${Buffer.from(still).toString('base64')}`])
  }
  return { ...pageVideo(video, path), stills }
}
