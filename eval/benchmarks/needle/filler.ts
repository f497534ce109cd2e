import { UsageError } from '../../../src/core/errors.ts'
import type { Voice } from '../../../src/core/scene.ts'
import { pick, whole } from './deck.ts'
import { type Measured, measure, type SpeechSeconds } from './lay-out.ts'
import type { StoryPlan } from './plan-story.ts'
import * as pool from './pools.ts'
import type { Segment } from './segment.ts'
import { cardSegment, viewSegment } from './segments.ts'

// Fills what is left of the length, evenly at random, between the needles.
export async function spread(
  needles: Measured[],
  { frames, size }: StoryPlan,
  voice: Voice,
  random: () => number,
  speechSeconds: SpeechSeconds,
): Promise<Measured[]> {
  let left = frames - needles.reduce((sum, needle) => sum + needle.frames, 0)
  if (left < 0)
    throw new UsageError(
      `A needle video of ${(frames / size.fps / 60).toFixed(1)} minutes has no room for what is asked about.`,
      {
        hint: `Make it ${Math.ceil((frames - left) / size.fps / 60)} minutes or longer.`,
      },
    )
  const gaps: Measured[][] = Array.from({ length: needles.length + 1 }, () => [])
  const least = 5 * size.fps
  while (left >= 2 * least) {
    const filler = await measure(fillerSegment(voice, random), size.fps, speechSeconds)
    if (filler.frames > left - least) break
    pick(gaps, random).push(filler)
    left -= filler.frames
  }
  if (left > 0) {
    const rest = needles.length > 0 && left < least ? undefined : quiet(left / size.fps, random)
    if (rest) gaps[gaps.length - 1].push({ segment: rest, frames: left, heard: [] })
    else needles[needles.length - 1].frames += left // what is seen last stays a little longer
  }
  return gaps.flatMap((gap, i) => (i < needles.length ? [...gap, needles[i]] : gap))
}

function fillerSegment(voice: Voice, random: () => number): Segment {
  const line = `${pick(pool.fillerStarts, random)} ${pick(pool.fillerEnds, random)}`
  const seconds = whole(5, 12, random)
  const kind = random()
  if (kind < 0.2) return cardSegment(`${line}.`, { heard: [], placed: () => {} }, seconds, random)
  if (kind < 0.7) {
    const heard = [{ kind: 'speech' as const, text: `${line}.`, voice }]
    return viewSegment({ heard, placed: () => {} }, seconds, random)
  }
  return quiet(seconds, random)
}

function quiet(seconds: number, random: () => number): Segment {
  return viewSegment({ heard: [], placed: () => {} }, seconds, random)
}
