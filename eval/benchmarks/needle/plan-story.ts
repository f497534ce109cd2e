import { UsageError } from '../../../src/core/errors.ts'
import { random as randomFrom } from '../../../src/core/numbers.ts'
import type { Script, Voice } from '../../../src/media/render/scene.ts'
import { pick, shuffled, whole } from './deck.ts'
import { layOut, type Measured, measure, type SpeechSeconds } from './lay-out.ts'
import { needles } from './needles.ts'
import * as pool from './pools.ts'
import { cardSegment, viewSegment } from './segments.ts'
import { factMaker } from './spoken-facts.ts'
import type { Segment, Story } from './story.ts'

export interface StoryPlan {
  seed: number
  frames: number
  size: Omit<Script, 'scenes' | 'cues'>
  rich: boolean // twice as much to ask about
}

// Deals what a video holds, spreads it over its length with nothing much in between, and returns it with the script.
export async function planStory(
  plan: StoryPlan,
  speechSeconds: SpeechSeconds,
): Promise<{ story: Story; script: Script }> {
  const random = randomFrom(plan.seed)
  const story = emptyStory(plan, random)
  const telling = shuffled(needles(story, plan.rich, random), random)
  const voice = pick(['rms', 'slt'] as Voice[], random)
  const { fps } = plan.size
  const measured: Measured[] = []
  for (const segment of telling) measured.push(await measure(segment, fps, speechSeconds))
  const script = layOut(await spread(measured, plan, voice, random, speechSeconds), plan.size)
  for (const list of [story.slides, story.signs, story.tickers, story.facts, story.sounds])
    list.sort((a, b) => a.span.start - b.span.start)
  story.phrase.spans.sort((a, b) => a.start - b.start)
  return { story, script }
}

function emptyStory({ frames, size }: StoryPlan, random: () => number): Story {
  return {
    duration: frames / size.fps,
    slides: [],
    signs: [],
    tickers: [],
    facts: [],
    sounds: [],
    phrase: { words: `remember the ${pick(pool.codeWords, random)}`, spans: [] },
    makeFact: factMaker(random),
  }
}

// Fills what is left of the length, evenly at random, between the needles.
async function spread(
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
