export type PictureSize = 'low' | 'high'

const limits = { low: { longer: 512, shorter: 512 }, high: { longer: 2048, shorter: 768 } }

// How wide a picture is shown, so that neither edge is over its limit; never enlarged.
export function shownWidth({ width, height }: { width: number; height: number }, size: PictureSize = 'low'): number {
  const { longer, shorter } = limits[size]
  const scale = Math.min(1, longer / Math.max(width, height), shorter / Math.min(width, height))
  return Math.max(1, Math.round(width * scale))
}
