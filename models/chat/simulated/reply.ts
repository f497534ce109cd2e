import type { z } from 'zod'
import type { Ratings, SightBrief } from '../../../src/core/brief.ts'
import type { Script } from '../../../src/media/render/scene.ts'
import { answerLook, rateLook } from './answer.ts'
import { writeCaption } from './caption.ts'
import { seedErrors } from './errors.ts'
import { perceive } from './perceive.ts'
import type { PerceivedFrame, SeenScene } from './seen.ts'
import type { SightSettings } from './settings.ts'
import { shownFrames } from './sight.ts'

// What it says of the frames of a request: by the task of the brief, from what their truth and its errors let it see.
export function replyTo(
  { task, video, pictures, candidates, question = '' }: SightBrief,
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
    case 'rate':
      return JSON.stringify(
        ratings(candidateFrames(pictures, candidates), frames => rateLook(question, see(frames), names)),
      )
  }
}

function ratings(
  candidates: readonly PerceivedFrame[][],
  rate: (frames: PerceivedFrame[]) => { relevance: number; reason: string },
): z.infer<typeof Ratings> {
  return { ratings: candidates.map((frames, at) => ({ number: at + 1, ...rate(frames) })) }
}

// Candidates have as many frames each as the brief says; without that, each picture is one.
function candidateFrames(pictures: SightBrief['pictures'], sizes?: readonly number[]): PerceivedFrame[][] {
  if (!sizes) return pictures.map(times => shownFrames([times]))
  const frames = shownFrames(pictures)
  let end = 0
  return sizes.map(size => {
    end += size
    return frames.slice(end - size, end)
  })
}

// Everybody in the video: a question may name a person whom no frame names.
function namesIn({ scenes }: Script): string[] {
  return [...new Set(scenes.flatMap(({ figures = [] }) => figures.map(({ who }) => who)))]
}
