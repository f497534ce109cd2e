import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { type ChatModel, type ChatRequest, ToolCall } from '../../src/core/chat.ts'
import { chatKey } from '../../src/core/chat-key.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/hash.ts'

const Settings = z.strictObject({
  folder: z.string().describe('the folder "calls" of a recorded run'),
})
type Settings = z.infer<typeof Settings>

const Call = z.object({
  format: z.literal(1),
  kind: z.string().default('chat'),
  key: z.string().optional(),
  request: z.looseObject({}),
  begun: z.number().default(0),
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
  error: z.object({ message: z.string(), hint: z.string().optional(), retryable: z.boolean() }).optional(),
})
type Call = z.infer<typeof Call>

// Replays the model calls of an earlier run by the content of each request: free, offline, the same to the byte.
export default {
  summary: 'replays the recorded calls of an earlier run',
  version: '1',
  settings: Settings,
  async open({ folder }): Promise<ChatModel> {
    let reading: Promise<Map<string, Call[]>> | undefined
    return {
      id: 'chat/recorded',
      accepts: new Set(['text', 'image', 'audio', 'video'] as const),
      async reply(request, signal, onText) {
        signal.throwIfAborted()
        reading ??= readCalls(folder)
        const call = (await reading).get(chatKey(request))?.shift()
        if (!call) throw missing(request, folder)
        const { reply, error } = call
        if (error) throw new BackendError(error.message, { retryable: error.retryable, hint: error.hint })
        if (!reply) throw new UsageError(`A recorded "${request.purpose}" call in ${folder} holds no reply.`)
        if (reply.text) onText?.(reply.text)
        return reply
      },
    }
  },
} satisfies Backend<ChatModel, Settings>

// By what each was asked for, those that were asked the same in the order in which they were asked.
async function readCalls(folder: string): Promise<Map<string, Call[]>> {
  const calls = new Map<string, Call[]>()
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json'))
  for (const name of names.sort((a, b) => timeOf(a) - timeOf(b))) {
    const file = join(folder, name)
    const call = Call.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!call.success)
      throw new UsageError(`${file} is not a recorded call of this version.`, { hint: 'Record the run again.' })
    if (call.data.kind !== 'chat') continue
    const key = call.data.key ?? chatKey(call.data.request)
    calls.set(
      key,
      [...(calls.get(key) ?? []), call.data].sort((a, b) => a.begun - b.begun),
    )
  }
  return calls
}

// "<hash>-3.json" is the third time that a request was made.
function timeOf(name: string): number {
  return Number(/-(\d+)\.json$/.exec(name)?.[1] ?? 1)
}

function missing(request: ChatRequest, folder: string): UsageError {
  const name = contentHash(request).slice(0, 12)
  return new UsageError(`No recorded reply to this "${request.purpose}" call (${name}) in ${folder}.`, {
    hint: 'The video, the settings or the prompts have changed since it was recorded; record the run again.',
  })
}
