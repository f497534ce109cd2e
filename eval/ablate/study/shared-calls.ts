import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChatModel, type ChatReply, type ChatRequest, ToolCall } from '../../../src/core/chat.ts'
import { StorageError } from '../../../src/core/errors.ts'
import { contentHash, stableJson } from '../../../src/core/hash.ts'
import { makeFolder, writeWhole } from '../../../src/store/durable.ts'
import type { Redact } from '../../../src/store/redact.ts'
import type { CallUse } from './calls.ts'

const Kept = z.object({
  format: z.literal(1),
  row: z.string(), // that made the call
  role: z.string(),
  model: z.string(),
  request: z.unknown(),
  reply: z.object({
    text: z.string(),
    thinking: z.string().optional(),
    calls: z.array(ToolCall),
    stop: z.enum(['end', 'calls', 'length', 'refused']),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
    model: z.string(),
  }),
  seconds: z.number(),
})

export interface SharedCalls {
  chat(role: string, model: ChatModel, identity: unknown): ChatModel
  used: CallUse[] // in the order in which they were needed
}

// The model calls of one question, shared by all rows of a study: the same request to the same model is made once, whichever
// row comes first, and read from there ever after, also when a killed row is gone on with. The third time that a row makes one
// and the same request, it gets the third reply.
export function sharedCalls(folder: string, row: string, redact: Redact): SharedCalls {
  const times = new Map<string, number>()
  const used: CallUse[] = []
  return {
    used,
    chat: (role, model, identity) => ({
      id: model.id,
      accepts: model.accepts,
      async reply(request, signal, onText) {
        const key = keyOf(request, identity, model.accepts.has('text'))
        const time = (times.get(key) ?? 0) + 1
        times.set(key, time)
        const file = join(folder, time === 1 ? `${key}.json` : `${key}-${time}.json`)
        const known = await keptCall(file)
        signal.throwIfAborted()
        if (known) {
          onText?.(known.reply.text)
          used.push(useOf(role, request, known.reply, known.seconds, known.row))
          return known.reply
        }
        try {
          const began = performance.now()
          const reply = await model.reply(request, signal, onText)
          const seconds = Math.round(performance.now() - began) / 1000
          await makeFolder(folder)
          const { brief: _, ...seen } = request
          const plain = JSON.parse(stableJson(seen)) as unknown
          const kept = { format: 1, row, role, model: model.id, request: plain, reply, seconds }
          await writeWhole(file, `${JSON.stringify(redact(kept))}\n`)
          used.push(useOf(role, request, reply, seconds, row))
          return reply
        } catch (error) {
          if (times.get(key) === time) times.set(key, time - 1) // it did not count
          throw error
        }
      },
      close: async () => model.close?.(),
    }),
  }
}

// Language models see the messages alone; rule-based ones read the data beside them, in which only durations differ each time.
function keyOf(request: ChatRequest, identity: unknown, readsMessages: boolean): string {
  const { brief, ...seen } = request
  return contentHash([identity, seen, readsMessages ? null : withoutSeconds(brief)]).slice(0, 32)
}

function withoutSeconds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSeconds)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (name === 'seconds' ? [] : [[name, withoutSeconds(item)]])),
  )
}

async function keptCall(file: string): Promise<z.infer<typeof Kept> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return Kept.parse(JSON.parse(text))
  } catch (error) {
    throw new StorageError(`${file} is damaged.`, { hint: 'Delete it: the call is then made again.', cause: error })
  }
}

function useOf(role: string, { purpose }: ChatRequest, reply: ChatReply, seconds: number, madeBy: string): CallUse {
  return { role, purpose, madeBy, seconds, ...reply.usage }
}
