import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { renderVideo } from '../../../src/media/render/render-video.ts'
import type { AudioCue, Scene, SceneSound, SceneVoice, Script } from '../../../src/media/render/scene.ts'

const fps = 10
const colours = ['#123a66', '#7a1f1f', '#1f5a2c', '#5a3a1f', '#3a1f5a', '#22484a'] as const
const subjects = ['museum', 'budget', 'river', 'harbour', 'garden', 'station', 'market', 'library'] as const
const verbs = ['opens', 'closes', 'is painted', 'is measured', 'is visited', 'begins'] as const
const times = ['in the morning', 'at ten', 'on Tuesday', 'in the summer', 'after the break'] as const
const sounds: readonly SceneSound[] = ['beep', 'bell', 'knock', 'siren']
const voices: readonly SceneVoice[] = ['rms', 'slt', 'awb']

// Videos with cuts, writing, speech and sounds, other ones for each seed.
export async function makeVideos(
  folder: string,
  { count, seconds, random, signal }: { count: number; seconds: number; random: () => number; signal: AbortSignal },
): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const paths: string[] = []
  for (let nth = 1; nth <= count; nth++) {
    const path = join(folder, `part-${nth}.mp4`)
    await renderVideo(script(`part ${nth}`, seconds, random), path, { signal })
    paths.push(path)
  }
  return paths
}

function script(title: string, seconds: number, random: () => number): Script {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const sentence = () => `The ${pick(subjects)} ${pick(verbs)} ${pick(times)}`
  const scenes: Scene[] = []
  const cues: AudioCue[] = []
  for (let at = 0; at < seconds; ) {
    const length = Math.min(seconds - at, 4 + Math.floor(random() * 7))
    const spoken = sentence()
    scenes.push({
      frames: length * fps,
      opens: { kind: 'cut' },
      background: { kind: 'plain', colour: pick(colours) },
      texts: [`${title}, page ${scenes.length + 1}`, sentence(), `Room ${Math.floor(random() * 900) + 100}`].map(
        (text, row) => ({ text, size: 0.09, at: { x: 0.06, y: 0.12 + row * 0.25 }, colour: '#ffffff' }),
      ),
      things: [],
    })
    if (length >= 4) cues.push({ kind: 'speech', at: at * fps, text: `${spoken}.`, voice: pick(voices) })
    if (random() < 0.3)
      cues.push({ kind: 'sound', at: (at + length - 1) * fps, sound: pick(sounds), frames: Math.floor(fps / 2) })
    at += length
  }
  return { title, width: 640, height: 360, fps, scenes, cues }
}
