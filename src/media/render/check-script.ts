import { UsageError } from '../../core/errors.ts'
import { framesOf, type Script } from '../../core/scene.ts'

// Stops at the first thing in a script that could not be rendered as it says.
export function checkScript(script: Script): void {
  const wrong = faultOf(script)
  if (wrong) throw new UsageError(`The script "${script.title}" cannot be rendered: ${wrong}.`)
}

function faultOf({ width, height, fps, scenes, cues, ...rest }: Script): string | undefined {
  const whole = (value: number, least: number) => Number.isInteger(value) && value >= least
  if (!whole(width / 2, 8) || !whole(height / 2, 8)) return `${width}x${height} is not an even size of at least 16x16`
  if (!whole(fps, 1) || 16000 % fps !== 0) return `${fps} frames a second do not divide 16000 samples`
  if (scenes.length === 0) return 'it has no scene'
  for (const [index, scene] of scenes.entries()) {
    if (!whole(scene.frames, 1)) return `scene ${index} has ${scene.frames} frames`
    if (scene.opens.kind === 'dissolve' && (!whole(scene.opens.frames, 1) || scene.opens.frames > scene.frames))
      return `scene ${index} of ${scene.frames} frames opens with a dissolve of ${scene.opens.frames}`
  }
  const total = framesOf({ width, height, fps, scenes, cues, ...rest })
  for (const [index, cue] of cues.entries()) {
    if (!whole(cue.at, 0) || cue.at >= total) return `cue ${index} is at frame ${cue.at} of ${total}`
    if (cue.kind === 'sound' && !whole(cue.frames, 1)) return `cue ${index} lasts ${cue.frames} frames`
  }
}
