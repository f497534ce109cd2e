import { resizeFrame } from '../../../src/media/image.ts'
import type { StillFile } from '../results.ts'
import type { CaptionClip } from './clips.ts'

const grid = { width: 16, height: 9 }

// The clips with those first whose picture differs most from the clips beside them; equal ones in time order. One small picture a clip
// is read, and two are held.
export async function byNovelty(
  clips: readonly CaptionClip[],
  file: StillFile,
  signal: AbortSignal,
): Promise<CaptionClip[]> {
  const steps: number[] = [] // from each clip to the next
  let before: Uint8Array | undefined
  for (const { stills } of clips) {
    signal.throwIfAborted()
    const middle = stills[Math.floor(stills.length / 2)]
    const frame = middle && (await resizeFrame(await file.frame(middle), grid.width, grid.height))
    if (before && frame) steps.push(difference(before, frame.rgb))
    before = frame?.rgb
  }
  const novelty = clips.map((_, at) =>
    Math.min(steps[at - 1] ?? Number.POSITIVE_INFINITY, steps[at] ?? Number.POSITIVE_INFINITY),
  )
  return clips
    .map((clip, at) => ({ clip, at, novelty: novelty[at] ?? 0 }))
    .sort((a, b) => (a.novelty === b.novelty ? a.at - b.at : b.novelty - a.novelty))
    .map(({ clip }) => clip)
}

function difference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / Math.max(1, a.length)
}
