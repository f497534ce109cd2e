import { roundTime, type Span } from '../../../src/core/time.ts'
import type { Cue, Scene, Script, Voice } from '../../../src/media/render/scene.ts'
import type { HeardItem, Segment } from './story.ts'

export type SpeechSeconds = (text: string, voice: Voice) => Promise<number>

const pause = 0.8 // seconds before, between and after what is heard in a segment

// Frames that a segment needs, and where in it each thing is heard.
export interface Measured {
  segment: Segment
  frames: number
  heard: { item: HeardItem; at: number; seconds: number }[] // `at` in frames of the segment
}

export async function measure(segment: Segment, fps: number, speechSeconds: SpeechSeconds): Promise<Measured> {
  let end = pause
  const heard: Measured['heard'] = []
  for (const item of segment.heard) {
    const at = Math.ceil(end * fps)
    const seconds =
      item.kind === 'speech' ? await speechSeconds(item.text, item.voice) : Math.round(item.seconds * fps) / fps
    heard.push({ item, at, seconds })
    end = at / fps + seconds + pause
  }
  return { segment, frames: Math.ceil(Math.max(segment.seconds, end) * fps), heard }
}

// Puts segments one after another and tells each where it is.
export function layOut(measured: readonly Measured[], size: Omit<Script, 'scenes' | 'cues'>): Script {
  const { fps } = size
  const scenes: Scene[] = []
  const cues: Cue[] = []
  let first = 0
  for (const { segment, frames, heard } of measured) {
    const { background, texts, things, opens } = segment
    scenes.push({ frames, opens: first === 0 ? { kind: 'cut' } : opens, background, texts, things })
    for (const { item, at } of heard) cues.push(cueOf(item, first + at, fps))
    segment.placed({
      seen: spanOf(first / fps, frames / fps),
      heard: heard.map(({ at, seconds }) => spanOf((first + at) / fps, seconds)),
    })
    first += frames
  }
  return { ...size, scenes, cues }
}

function spanOf(start: number, seconds: number): Span {
  return { start: roundTime(start), end: roundTime(start + seconds) }
}

function cueOf(item: HeardItem, at: number, fps: number): Cue {
  if (item.kind === 'speech') return { kind: 'speech', at, text: item.text, voice: item.voice }
  return { kind: 'sound', at, sound: item.sound, frames: Math.round(item.seconds * fps), seed: item.seed }
}
