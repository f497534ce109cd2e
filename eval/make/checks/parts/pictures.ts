import type { ContentPart } from '../../../../src/core/chat.ts'
import type { CheckGiven, Interval } from '../../item.ts'

export async function picturesAt(
  video: string,
  times: readonly number[],
  { frames }: CheckGiven,
): Promise<ContentPart[]> {
  const pictures = await frames(video, times)
  return pictures.map(jpeg => ({ type: 'image', jpeg }))
}

// So many moments evenly over these stretches together, each in the middle of its share.
export function spreadOver(spans: readonly Interval[], count: number): number[] {
  const whole = spans.reduce((sum, [start, end]) => sum + Math.max(0, end - start), 0)
  if (whole === 0) return []
  return Array.from({ length: count }, (_, at) => {
    let left = ((at + 0.5) * whole) / count
    for (const [start, end] of spans) {
      if (left < end - start) return start + left
      left -= Math.max(0, end - start)
    }
    return spans.at(-1)?.[1] ?? 0
  })
}
