import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { Listener } from '../../src/core/services.ts'
import openaiChat, { openaiChatSettings } from '../chat/openai.ts'
import { keyNeed, openaiServer } from '../http/openai.ts'
import { captionListener, captionSettings } from './captions.ts'

const settings = openaiChatSettings.omit({ accepts: true, toolMode: true, stream: true, model: true }).extend({
  model: z.string({ error: 'name the audio model that the server runs' }).min(1),
  ...captionSettings(600),
})
type Settings = z.infer<typeof settings>

// An audio model behind a chat endpoint: Audio Flamingo 3, Qwen-Omni.
const openai: Backend<Listener, Settings> = {
  summary: 'an audio model behind any OpenAI-compatible server: captions and answers',
  version: '2',
  reaches: 'network',
  server: openaiServer,
  settings,
  needs: keyNeed,
  async open(chosen, host) {
    const { captionSeconds, questionSeconds, ...rest } = chosen
    const model = await openaiChat.open(
      { ...rest, accepts: ['text', 'audio'], toolMode: 'native', stream: false },
      host,
    )
    return captionListener(model, { captionSeconds, questionSeconds, atOnce: chosen.limits.concurrency })
  },
}

export default openai
