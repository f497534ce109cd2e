import { dissolve, type Planes } from './planes.ts'
import { type Script, sceneStarts } from './scene.ts'
import { type ScenePainter, scenePainter } from './scene-painter.ts'

// A picture and the first frame that shows it; it stays until the next one.
export interface Picture {
  frame: number
  bytes: Uint8Array
}

// The pictures of a script in order, each one that differs from the one before it.
export async function* pictures(script: Script, signal: AbortSignal): AsyncGenerator<Picture> {
  const starts = sceneStarts(script)
  let before: { painter: ScenePainter; frames: number } | undefined
  for (const [index, scene] of script.scenes.entries()) {
    const painter = await scenePainter(scene, script)
    const mixed = before && scene.opens.kind === 'dissolve' ? scene.opens.frames : 0
    let last: string | undefined
    for (let frame = 0; frame < scene.frames; frame++) {
      signal.throwIfAborted()
      const state = painter.stateAt(frame)
      if (frame >= mixed && state === last) continue
      last = frame >= mixed ? state : undefined
      const picture = painter.paint(frame)
      if (before && frame < mixed) shineThrough(picture, before, frame, mixed)
      yield { frame: starts[index]! + frame, bytes: picture.bytes }
    }
    before = { painter, frames: scene.frames }
  }
}

// The scene before goes on beneath the new one, so that nothing freezes while it fades.
function shineThrough(
  picture: Planes,
  before: { painter: ScenePainter; frames: number },
  frame: number,
  mixed: number,
): void {
  dissolve(picture, before.painter.paint(before.frames + frame), 1 - (frame + 1) / (mixed + 1))
}
