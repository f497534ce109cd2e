import type { Backend } from '../../src/core/backend.ts'
import { type ChatModel, Modality } from '../../src/core/chat.ts'
import { estimatedUsage } from './adapter/estimated-usage.ts'
import { replyTo } from './simulated/reply.ts'
import { SightSettings } from './simulated/settings.ts'
import { readSightBrief } from './simulated/sight.ts'
import { truthFolder } from './simulated/truth-folder.ts'

// No model at all: it tells of videos that longtake rendered what their scripts know of the frames that it is shown, with errors
// at set rates. For tests, ablations and studies of what sight is worth.
export default {
  summary: 'simulated sight, no model: knows the scripts of rendered videos and errs at set rates',
  version: '1',
  standIn: true,
  simulates: 'What is seen here is simulated, by chat/simulated from the script of the video: no model looked at it.',
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
