import type { SightBrief } from '../../../src/core/brief.ts'
import type { Script } from '../../../src/media/render/scene.ts'
import { answerLook } from './answer.ts'
import { writeCaption } from './caption.ts'
import { seedErrors } from './errors.ts'
import { perceive } from './perceive.ts'
import type { PerceivedFrame, SeenScene } from './seen.ts'
import type { SightSettings } from './settings.ts'
import { shownFrames } from './sight.ts'

// What it says of the frames of a request: by the task of the brief, from what their truth and its errors let it see.
export function replyTo(
  { task, video, pictures, question = '' }: SightBrief,
  script: Script,
  settings: SightSettings,
): string {
  const { smallest, inventions } = settings
  const eyes = { script, smallest, inventions, errors: seedErrors(settings, video.name) }
  const see = (frames: readonly PerceivedFrame[]): SeenScene[] => perceive(frames, eyes)
  const names = namesIn(script)
  switch (task) {
    case 'caption':
      return JSON.stringify(writeCaption(see(shownFrames(pictures)), script))
    case 'look':
      return answerLook(question, see(shownFrames(pictures)), names)
  }
}

// Everybody in the video: a question may name a person whom no frame names.
function namesIn({ scenes }: Script): string[] {
  return [...new Set(scenes.flatMap(({ figures = [] }) => figures.map(({ who }) => who)))]
}
