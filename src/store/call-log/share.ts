import { join } from 'node:path'
import { z } from 'zod'
import { type ChatModel, type ChatReply, type ChatRequest, decorate } from '../../core/chat.ts'
import { StorageError } from '../../core/errors.ts'
import { contentHash, stableJson } from '../../core/json.ts'
import { CallRecord } from '../../core/run/call-record.ts'
import type { CalledAs } from '../../core/runtime.ts'
import { ensureFolder, writeWhole } from '../durable.ts'
import { readTextFile } from '../read-file.ts'
import type { Redact } from '../redact.ts'

export interface SharedCalls {
  model(model: ChatModel, as: CalledAs, call?: Call): ChatModel
  used: CallUse[] // in the order in which they were needed
}

// A call that is not there yet. `n`: the request was made for the n-th time.
type Call = (...it: [...Parameters<ChatModel['reply']>, n: number]) => Promise<ChatReply>

// One model call that a question needed, and which row of the study made it.
export const CallUse = z.object({
  role: z.string(),
  purpose: z.string(),
  madeBy: z.string(), // a row's id: its own, or an earlier one's whose reply was taken
  seconds: z.number(), // when it was made
  inputTokens: z.number(),
  outputTokens: z.number(),
})
export type CallUse = z.infer<typeof CallUse>

// The model calls of one question, shared by all rows of a study: the same request to the same model is made once, whichever
// row comes first, and read from there ever after, also when a killed row is resumed. The third time that a row makes one and
// the same request, it gets the third reply.
export function shareCalls(
  folder: string,
  row: string,
  redact: Redact,
  clock = () => performance.now(), // one that stands still, where the files of two runs must be the same
): SharedCalls {
  const times = new Map<string, number>()
  const used: CallUse[] = []
  return {
    used,
    model: (model, { role, chosen }, call = model.reply.bind(model)) => {
      const identity = chosen()
      identity.catch(() => {}) // reported with the first call
      return decorate(model, async (request, signal, onText) => {
        const key = sharedCallKey(request, await identity, model.accepts.has('text'))
        const time = (times.get(key) ?? 0) + 1
        times.set(key, time)
        const file = join(folder, time === 1 ? `${key}.json` : `${key}-${time}.json`)
        const sharedCall = await keptCall(file)
        signal.throwIfAborted()
        if (sharedCall) {
          onText?.(sharedCall.reply.text)
          used.push(callUse(role, request, sharedCall.reply, sharedCall.seconds, sharedCall.row))
          return sharedCall.reply
        }
        try {
          const began = clock()
          const reply = await call(request, signal, onText, time)
          const seconds = Math.round(clock() - began) / 1000
          await ensureFolder(folder)
          const { brief: _, ...seen } = request
          const plain = JSON.parse(stableJson(seen)) as unknown
          const callRecord = { format: 1, row, role, model: model.id, request: plain, reply, seconds }
          await writeWhole(file, `${JSON.stringify(redact(callRecord))}\n`)
          used.push(callUse(role, request, reply, seconds, row))
          return reply
        } catch (error) {
          if (times.get(key) === time) times.set(key, time - 1) // it did not count
          throw error
        }
      })
    },
  }
}

// Language models see only the messages; rule-based ones read the data beside them, in which only durations differ each time.
export function sharedCallKey(request: ChatRequest, identity: unknown, readsMessages: boolean): string {
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

async function keptCall(file: string): Promise<{ reply: ChatReply; seconds: number; row: string } | undefined> {
  const text = await readTextFile(file)
  if (text === undefined) return undefined
  try {
    const record = CallRecord.parse(JSON.parse(text))
    if (record.kind === 'chat' && record.reply && record.row !== undefined)
      return { reply: record.reply, seconds: record.seconds, row: record.row }
  } catch (cause) {
    throw damaged(file, cause)
  }
  throw damaged(file)
}

function damaged(file: string, cause?: unknown): StorageError {
  return new StorageError(`${file} is damaged.`, { hint: 'Delete it: the call is then made again.', cause })
}

function callUse(role: string, { purpose }: ChatRequest, reply: ChatReply, seconds: number, madeBy: string): CallUse {
  return { role, purpose, madeBy, seconds, ...reply.usage }
}
