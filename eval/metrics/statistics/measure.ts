import { drawClusters } from './bootstrap.ts'

// A statistic with how far it can be believed. `value` is null if it is undefined, and `why` then says why.
export interface Measure {
  n: number
  value: number | null
  low: number | null // of its 95 % interval, from drawing whole videos
  high: number | null
  why?: string // why there is no value, or no interval
}

interface Measured<Item> {
  items: readonly Item[]
  videoOf(item: Item): string
  statistic(items: readonly Item[]): number | null
  undefinedAs: string // why the statistic has no value, where it has none
}

const leastVideos = 5

// Draws in which the statistic is undefined are left out; where they are many, there is no interval.
export function measureWithInterval<Item>({ items, videoOf, statistic, undefinedAs }: Measured<Item>): Measure {
  const n = items.length
  const none = { n, low: null, high: null }
  if (n === 0) return { ...none, value: null, why: 'nothing was judged by both' }
  const value = statistic(items)
  if (value === null) return { ...none, value, why: undefinedAs }
  const videos = new Set(items.map(videoOf)).size
  if (videos < leastVideos) return { ...none, value, why: `no interval from ${videos} videos` }
  const interval = drawClusters(items, videoOf, statistic)
  return interval ? { n, value, ...interval } : { ...none, value, why: 'undefined in more than one draw of ten' }
}
