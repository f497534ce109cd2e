import { makeNeedle } from '../../../eval/benchmarks/needle/make-folder.ts'
import type { NeedleRecord } from '../../../eval/benchmarks/needle/record.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import type { VideoIndex } from '../../../src/core/video.ts'
import {
  type AudioCue,
  countFrames,
  type Scene,
  type SceneSound,
  type ScreenText,
  type Script,
  sceneStarts,
} from '../../../src/media/render/scene.ts'
import { handMadeIndex } from '../hand-made-index.ts'

export interface ScriptedStory {
  index: VideoIndex
  records: NeedleRecord[]
}

const secondsAWord = 0.4

// Needle videos that are never rendered: their script is the index, as a perfect recogniser would have made it. So what is
// measured is the agent alone.
export async function makeStories(seed: number, videos: number, minutes: number): Promise<ScriptedStory[]> {
  const benchmark = await makeNeedle({ seed, videos, minutes }, async text => text.split(/\s+/).length * secondsAWord)
  return benchmark.videos.map(({ script, records }) => ({ index: indexOf(script), records }))
}

function indexOf(script: Script): VideoIndex {
  const { fps } = script
  const starts = sceneStarts(script)
  const scenes = script.scenes.map((scene, i) => ({ scene, first: starts[i] ?? 0 }))
  const shots = scenes.map(({ scene, first }, i) => ({
    start: first / fps,
    end: (first + scene.frames) / fps,
    opens: i === 0 ? ('start' as const) : ('cut' as const),
  }))
  const rows = [
    ...script.cues.map(cue => heardRow(cue, fps)),
    ...scenes.flatMap(({ scene, first }) => textRows(scene, first, fps)),
  ].filter(row => row !== undefined)
  return handMadeIndex({ duration: countFrames(script) / fps, rows, shots })
}

function heardRow(cue: AudioCue, fps: number): Finding | undefined {
  const start = cue.at / fps
  if (cue.kind === 'speech') {
    const seconds = cue.text.split(/\s+/).length * secondsAWord
    return { span: { start, end: start + seconds }, track: 'speech', text: cue.text }
  }
  if (cue.sound === 'silence') return undefined
  return { span: { start, end: start + cue.frames / fps }, track: 'sound', text: soundNames[cue.sound] }
}

// As models/hear/signal names them, which hears likenesses only.
const soundNames: Record<Exclude<SceneSound, 'silence'>, string> = {
  bell: 'bell-like ring',
  siren: 'siren-like tone that rises and falls',
  bark: 'short burst of sound (bark-, cough- or shout-like)',
  applause: 'dense crackle of short blows (applause-, rain- or frying-like)',
  music: 'music-like tones',
  beep: 'beep near 1000 Hz',
  knock: 'knock (short dull blows: door knock- or thud-like)',
}

// The texts that are shown together are one row, in reading order.
function textRows(scene: Scene, first: number, fps: number): Finding[] {
  const groups = new Map<string, { from: number; to: number; texts: ScreenText[] }>()
  for (const text of scene.texts) {
    const { from = 0, to = scene.frames } = text
    const group = groups.get(`${from} ${to}`) ?? { from, to, texts: [] }
    group.texts.push(text)
    groups.set(`${from} ${to}`, group)
  }
  return [...groups.values()].map(({ from, to, texts }) => ({
    span: { start: (first + from) / fps, end: (first + to) / fps },
    track: 'text',
    text: texts
      .sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x)
      .map(one => one.text)
      .join('\n'),
    confidence: 1,
  }))
}
