import { renderVideo } from '../../src/media/render/render-video.ts'
import type { Script } from '../../src/media/render/scene.ts'

const fps = 25

// A clip that has something for every stage (two slides, a sentence, a beep) and is indexed in a few seconds.
export const clip: Script = {
  title: 'clip',
  width: 640,
  height: 360,
  fps,
  scenes: [slide('#123a66', 'Museum opening hours'), slide('#7a1f1f', 'Ticket prices')],
  cues: [
    { kind: 'speech', at: fps, text: 'The museum has seven hundred paintings and a small garden.', voice: 'rms' },
    { kind: 'sound', at: 8 * fps, sound: 'beep', frames: 20 },
  ],
}

export async function renderClip(path: string): Promise<void> {
  await renderVideo(clip, path, { signal: new AbortController().signal })
}

function slide(colour: `#${string}`, text: string): Script['scenes'][number] {
  return {
    frames: 5 * fps,
    opens: { kind: 'cut' },
    background: { kind: 'plain', colour },
    texts: [{ text, size: 0.1, at: { x: 0.08, y: 0.4 }, colour: '#ffffff' }],
    things: [],
  }
}
