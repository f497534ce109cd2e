import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { type ChatModel, type ChatRequest, ToolCall } from '../../src/core/chat.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/hash.ts'

const Settings = z.strictObject({
  folder: z.string().describe('the folder "calls" of a recorded run'),
})
type Settings = z.infer<typeof Settings>

const Call = z.object({
  format: z.literal(1),
  reply: z
    .object({
      text: z.string(),
      thinking: z.string().optional(),
      calls: z.array(ToolCall),
      stop: z.enum(['end', 'calls', 'length', 'refused']),
      usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
      model: z.string(),
    })
    .optional(),
  error: z.object({ message: z.string(), retryable: z.boolean() }).optional(),
})

// Replays the model calls of an earlier run by the content of each request: free, offline, the same to the byte.
export default {
  summary: 'replays the recorded calls of an earlier run',
  version: '1',
  settings: Settings,
  async open({ folder }): Promise<ChatModel> {
    const asked = new Map<string, number>()
    return {
      id: 'chat/recorded',
      accepts: new Set(['text', 'image', 'audio', 'video'] as const),
      async reply(request, signal, onText) {
        signal.throwIfAborted()
        const hash = contentHash(request)
        const time = (asked.get(hash) ?? 0) + 1
        asked.set(hash, time)
        const { reply, error } = await readCall(folder, hash, time, request)
        if (error) throw new BackendError(error.message, { retryable: error.retryable })
        if (!reply) throw new UsageError(`The recorded call ${hash.slice(0, 12)} in ${folder} holds no reply.`)
        if (reply.text) onText?.(reply.text)
        return reply
      },
    }
  },
} satisfies Backend<ChatModel, Settings>

// The second time that a request was made lies beside the first: <hash>.json, <hash>-2.json.
async function readCall(folder: string, hash: string, time: number, request: ChatRequest) {
  const file = join(folder, time === 1 ? `${hash}.json` : `${hash}-${time}.json`)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`No recorded reply to this "${request.purpose}" call (${hash.slice(0, 12)}) in ${folder}.`, {
      hint: 'The video, the settings or the prompts have changed since it was recorded; record the run again.',
      cause: error,
    })
  }
  const call = Call.safeParse(JSON.parse(text))
  if (!call.success)
    throw new UsageError(`${file} is no recorded call of this version.`, { hint: 'Record the run again.' })
  return call.data
}
