import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { chatModels } from './index.ts'

// The setting of a backend that uses a chat model of its own: the chat backend and its settings.
export const nestedChat = z
  .looseObject({ backend: z.string({ error: 'name a chat backend, for example ollama' }) })
  .describe('the chat model to ask: {"backend": NAME, ...its settings}')

export function openNestedChat(setting: z.infer<typeof nestedChat>, host: Host): Promise<ChatModel> {
  const { backend, ...settings } = setting
  return chatModels.open(backend, settings, host)
}
