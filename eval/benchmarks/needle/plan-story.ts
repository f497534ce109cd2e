import { random as randomFrom } from '../../../src/core/random.ts'
import type { Script, Voice } from '../../../src/core/scene.ts'
import { pick, shuffled } from './deck.ts'
import { spread } from './filler.ts'
import { layOut, type Measured, measure, type SpeechSeconds } from './lay-out.ts'
import { needles } from './needles.ts'
import * as pool from './pools.ts'
import { factMaker } from './spoken-facts.ts'
import type { Story } from './story.ts'

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
