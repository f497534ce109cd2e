import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { roundTime, type Span } from '../../../src/core/time.ts'
import type { AudioCue, Scene, SceneVoice, Script } from '../../../src/media/render/scene.ts'
import { pick, shuffle, whole } from '../../data/deck.ts'
import { needles } from './needles.ts'
import { peopleSegments } from './people/people-segments.ts'
import * as pool from './pools.ts'
import { cardSegment, viewSegment } from './segments.ts'
import { factMaker } from './spoken-facts.ts'
import type { HeardItem, NeedleStory, Segment } from './story.ts'

export type SpeechSeconds = (text: string, voice: SceneVoice) => Promise<number>

interface StoryPlan {
  seed: number
  frames: number
  size: Omit<Script, 'scenes' | 'cues'>
  rich: boolean // twice as much to ask about
  people: boolean // people are drawn, and the other things to ask about are fewer
}

// Deals what a video holds, spreads it over its length with nothing much in between, and returns it with the script.
export async function planStory(
  plan: StoryPlan,
  speechSeconds: SpeechSeconds,
): Promise<{ story: NeedleStory; script: Script }> {
  const random = seededRandom(plan.seed)
  const story = emptyStory(plan, random)
  const segments = shuffle(allSegments(story, plan, random), random)
  const voice = pick(['rms', 'slt'] as SceneVoice[], random)
  const { fps } = plan.size
  const measured: Measured[] = []
  for (const segment of segments) measured.push(await measure(segment, fps, speechSeconds))
  const script = layOut(await spread(measured, plan, voice, random, speechSeconds), plan.size)
  const { people } = story
  const ofPeople = people ? [people.sightings, people.introductions, people.sayings, people.reasons] : []
  for (const list of [story.slides, story.signs, story.tickers, story.facts, story.sounds, ...ofPeople])
    list.sort((a, b) => a.span.start - b.span.start)
  story.phrase.spans.sort((a, b) => a.start - b.start)
  return { story, script }
}

// A short video with people has room for slides and what is said besides.
function allSegments(story: NeedleStory, { rich, people }: StoryPlan, random: () => number): Segment[] {
  if (!people) return needles(story, rich, random)
  story.people = { people: [], sightings: [], introductions: [], sayings: [], reasons: [] }
  const isBrief = ({ background, heard, texts }: Segment) =>
    background.kind === 'slide' || (heard?.kind === 'speech' && texts.length === 0)
  const plainNeedles = needles(story, false, random)
  return [...(rich ? plainNeedles : plainNeedles.filter(isBrief)), ...peopleSegments(story.people, rich, random)]
}

function emptyStory({ frames, size }: StoryPlan, random: () => number): NeedleStory {
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
  { frames, size: { fps } }: StoryPlan,
  voice: SceneVoice,
  random: () => number,
  speechSeconds: SpeechSeconds,
): Promise<Measured[]> {
  let framesLeft = frames - needles.reduce((sum, needle) => sum + needle.frames, 0)
  if (framesLeft < 0)
    throw new UsageError(
      `A needle video of ${(frames / fps / 60).toFixed(1)} minutes has no room for what is asked about.`,
      { hint: `Make it ${Math.ceil((frames - framesLeft) / fps / 60)} minutes or longer.` },
    )
  const last: Measured[] = []
  const gaps = [...needles.map((): Measured[] => []), last]
  const min = 5 * fps
  while (framesLeft >= 2 * min) {
    const filler = await measure(fillerSegment(voice, random), fps, speechSeconds)
    if (filler.frames > framesLeft - min) break
    pick(gaps, random).push(filler)
    framesLeft -= filler.frames
  }
  const seenLast = needles.at(-1)
  if (seenLast && framesLeft > 0 && framesLeft < min)
    seenLast.frames += framesLeft // it stays a little longer
  else if (framesLeft > 0) last.push({ segment: viewSegment({}, framesLeft / fps, random), frames: framesLeft })
  return gaps.flatMap((gap, i) => [...gap, ...needles.slice(i, i + 1)])
}

function fillerSegment(voice: SceneVoice, random: () => number): Segment {
  const line = `${pick(pool.fillerStarts, random)} ${pick(pool.fillerEnds, random)}.`
  const seconds = whole(5, 12, random)
  const kind = random()
  if (kind < 0.2) return cardSegment(line, seconds, random)
  return viewSegment(kind < 0.7 ? { heard: { kind: 'speech', text: line, voice } } : {}, seconds, random)
}

const pause = 0.8 // seconds before and after what is heard in a segment

// Frames that a segment needs, and where in it something is heard.
interface Measured {
  segment: Segment
  frames: number
  heard?: { item: HeardItem; at: number; seconds: number } // `at` in frames of the segment
}

async function measure(segment: Segment, fps: number, speechSeconds: SpeechSeconds): Promise<Measured> {
  const { heard: item } = segment
  if (!item) return { segment, frames: Math.ceil(Math.max(segment.seconds, pause) * fps) }
  const at = Math.ceil(pause * fps)
  const seconds =
    item.kind === 'speech' ? await speechSeconds(item.text, item.voice) : Math.round(item.seconds * fps) / fps
  const frames = Math.ceil(Math.max(segment.seconds, at / fps + seconds + pause) * fps)
  return { segment, frames, heard: { item, at, seconds } }
}

// Puts segments one after another and reports its place to each.
function layOut(measured: readonly Measured[], size: Omit<Script, 'scenes' | 'cues'>): Script {
  const { fps } = size
  const scenes: Scene[] = []
  const cues: AudioCue[] = []
  let first = 0
  for (const { segment, frames, heard } of measured) {
    const { background, texts, things, figures, opens } = segment
    const opened = first === 0 ? ({ kind: 'cut' } as const) : opens
    scenes.push({ frames, opens: opened, background, texts, things, ...(figures && { figures }) })
    if (heard) cues.push(buildCue(heard.item, first + heard.at, fps))
    const seen = spanFrom(first / fps, frames / fps)
    segment.placed?.(seen, heard ? spanFrom((first + heard.at) / fps, heard.seconds) : seen)
    first += frames
  }
  return { ...size, scenes, cues }
}

function spanFrom(start: number, seconds: number): Span {
  return { start: roundTime(start), end: roundTime(start + seconds) }
}

function buildCue(item: HeardItem, at: number, fps: number): AudioCue {
  if (item.kind === 'speech') return { kind: 'speech', at, text: item.text, voice: item.voice }
  return { kind: 'sound', at, sound: item.sound, frames: Math.round(item.seconds * fps), seed: item.seed }
}
