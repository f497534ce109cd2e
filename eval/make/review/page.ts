import { type PageFile, pageFile } from '../../report/page/page-file.ts'
import type { PageVideo, ReviewData } from './page-data.ts'
import { flaggedItems, type ReviewSet } from './review-set.ts'
import { dropReasons } from './verdict.ts'
import type { ReviewVideo } from './videos.ts'

type PageWish = Pick<ReviewData, 'mode' | 'reviewer' | 'videos' | 'items'> & { set: ReviewSet }

export function reviewPage({ set, ...wish }: PageWish): PageFile {
  const data: ReviewData = {
    ...wish,
    set: set.set.canary,
    kinds: [...new Set(set.items.map(({ kind }) => kind))].sort(),
    reasons: dropReasons,
    total: set.items.length,
    flagged: flaggedItems(set).size > 0,
  }
  const title = `Review of a ${set.recipe.name} set`
  return pageFile({ code: 'review', title, data, media: wish.mode === 'served' ? 'served' : 'files' })
}

export function pageVideo({ id, duration, video, type }: ReviewVideo, src: string): PageVideo {
  const [there, pictures] = [video !== undefined, video?.picture !== undefined]
  return { id, duration, there, pictures, ...(type !== undefined && { type, src }) }
}
