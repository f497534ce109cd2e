import { basename, join } from 'node:path'
import { estimatedUsage } from '../../models/chat/request.ts'
import type { Backend } from '../../src/core/backend.ts'
import { SightBrief } from '../../src/core/brief.ts'
import { type ChatModel, type ChatRequest, Modality } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Script } from '../../src/media/render/scene.ts'
import { readScriptFile, scriptPath } from '../../src/media/render/script-file.ts'
import { answerLook } from './answer.ts'
import { writeCaption } from './caption.ts'
import { seedErrors } from './errors.ts'
import { perceive } from './perceive.ts'
import type { PerceivedFrame, SeenScene } from './seen.ts'
import { SightSettings } from './settings.ts'

// No model at all: it tells of videos that longtake rendered what their scripts know of the frames that it is shown, with errors
// at set rates.
export default {
  summary: 'simulated sight, no model: knows the scripts of rendered videos and errs at set rates',
  version: '1',
  standIn: true,
  settings: SightSettings,
  async open(settings): Promise<ChatModel> {
    const scriptOf = truthFolder(settings.truth)
    return {
      id: 'chat/simulated',
      accepts: new Set(Modality.options.filter(modality => modality === 'text' || modality === 'image')),
      async reply(request, signal, onText) {
        signal.throwIfAborted()
        const brief = readSightBrief(request)
        const text = replyTo(brief, await scriptOf(brief.video.name), settings)
        signal.throwIfAborted()
        onText?.(text)
        return {
          text,
          calls: [],
          stop: 'end',
          usage: estimatedUsage('simulated', request, { text }),
          model: 'simulated',
        }
      },
    }
  },
} satisfies Backend<ChatModel, SightSettings>

// The scripts of rendered videos, by the names of the videos. Each is read once.
function truthFolder(folder: string): (video: string) => Promise<Script> {
  const read = new Map<string, Promise<Script>>()
  return video => {
    const script = read.get(video) ?? readTruthScript(folder, video)
    read.set(video, script)
    script.catch(() => read.delete(video)) // it may be there the next time
    return script
  }
}

async function readTruthScript(folder: string, video: string): Promise<Script> {
  const file = join(folder, basename(scriptPath(video)))
  try {
    return await readScriptFile(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new UsageError(`chat/simulated sees nothing in ${video}: ${file} is not there.`, {
      hint: 'It tells only of videos that longtake rendered, as "longtake bench make needle" does. Set models.vision.truth to the folder of their scripts, or choose a model that sees.',
      cause,
    })
  }
}

// What it says of the frames of a request: by the task of the brief, from what their truth and its errors let it see.
function replyTo(
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

// The brief of a request that shows pictures. Without one nothing is known of what they show, and nothing is made up.
function readSightBrief(request: ChatRequest): SightBrief {
  const parsed = SightBrief.safeParse(request.brief)
  if (!parsed.success)
    throw new UsageError(`chat/simulated cannot ${request.purpose}: the request does not say which frames it shows.`, {
      hint: 'It stands in for a model that sees, only in models.vision, and reads the SightBrief of a request (src/core/brief.ts) and not its pictures.',
    })
  const pictureCount = request.messages.flatMap(message => message.content).filter(part => part.type === 'image').length
  const briefCount = parsed.data.pictures.length
  if (pictureCount !== briefCount)
    throw new UsageError(
      `chat/simulated was shown ${pictureCount} pictures, and the brief of the request tells of ${briefCount}.`,
      {
        hint: 'The brief names the times of each picture of the request, in their order.',
      },
    )
  return parsed.data
}

function shownFrames(pictures: SightBrief['pictures']): PerceivedFrame[] {
  return pictures.flatMap(times => times.map(time => ({ time, cells: times.length })))
}
