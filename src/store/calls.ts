// Recorded calls: the folder `calls` of a run.
//
//   <hash>.json      { "format": 1, "kind": "chat", "model": "chat/ollama/qwen3:4b", "request": {…}, "reply": {…}, "seconds": 1.25 }
//   <hash>-2.json    the second time that the same request was made in this run; -3 the third, and so on
//   bytes/<sha256>   what the requests hold of images and sounds, each once
//
// <hash> is contentHash(request) of src/core/hash.ts: sha256 of the JSON with sorted keys, in which bytes stand for their own
// sha256. In a file bytes are written as the text "bytes:<sha256>". For "chat" the request is the ChatRequest and the reply
// the ChatReply; for "tool" the request is { tool, input }. A call that failed has "error": { message, retryable } in place
// of "reply". The hash is taken before secrets are taken out of what is written.

import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ChatModel, ChatReply, ChatRequest } from '../core/chat.ts'
import { textOf } from '../core/chat.ts'
import { BackendError, errorText, UsageError } from '../core/errors.ts'
import { contentHash, stableJson } from '../core/hash.ts'
import { makeFolder, writeDurably } from './durable.ts'
import { refuseNewer } from './format.ts'
import type { Redact } from './redact.ts'
import { errorCode, onDisk } from './storage-error.ts'

export const RecordedCall = z.object({
  format: z.literal(1),
  kind: z.enum(['chat', 'tool']),
  model: z.string(), // or the tool's name
  request: z.unknown(),
  reply: z.unknown().optional(),
  error: z.object({ message: z.string(), retryable: z.boolean() }).optional(),
  seconds: z.number(),
})
export type RecordedCall = z.infer<typeof RecordedCall>

export interface CallStore {
  record(call: Omit<RecordedCall, 'format'>): Promise<void>
  replay(request: unknown): Promise<RecordedCall | undefined> // the next recorded answer to this request, in the order they came
}

export function openCalls(folder: string, redact: Redact): CallStore {
  const recorded = new Map<string, number>()
  const replayed = new Map<string, number>()

  // Counts how often this very request was made, from 1.
  const turn = (counts: Map<string, number>, hash: string) => {
    const next = (counts.get(hash) ?? 0) + 1
    counts.set(hash, next)
    return join(folder, next === 1 ? `${hash}.json` : `${hash}-${next}.json`)
  }

  return {
    async record(call) {
      const file = turn(recorded, contentHash(call.request))
      await onDisk(`record a call in ${folder}`, async () => {
        await makeFolder(join(folder, 'bytes'))
        const bytes = new Map<string, Uint8Array>()
        const request = withoutBytes(call.request, bytes)
        const reply = withoutBytes(call.reply, bytes)
        for (const [hash, content] of bytes) await writeOnce(join(folder, 'bytes', hash), content)
        await writeDurably(file, `${JSON.stringify(redact({ format: 1, ...call, request, reply }), null, 1)}\n`)
      })
    },
    async replay(request) {
      const file = turn(replayed, contentHash(request))
      const text = await readFile(file, 'utf8').catch(error => {
        if (errorCode(error) === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) return undefined
      const value: unknown = JSON.parse(text)
      refuseNewer(file, value, 1)
      return RecordedCall.parse(value)
    },
  }
}

// Does the work and keeps what it was asked and what came of it, faults included: a retry is a part of the run.
export async function recorded<Reply>(
  calls: CallStore,
  call: { kind: RecordedCall['kind']; model: string; request: unknown },
  signal: AbortSignal,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const started = performance.now()
  const seconds = () => Math.round(performance.now() - started) / 1000
  try {
    const reply = await work()
    await calls.record({ ...call, reply, seconds: seconds() })
    return reply
  } catch (error) {
    if (!signal.aborted && error instanceof BackendError)
      await calls.record({
        ...call,
        error: { message: errorText(error), retryable: error.retryable },
        seconds: seconds(),
      })
    throw error
  }
}

// The same model, with every call written down.
export function recordingChat(model: ChatModel, calls: CallStore): ChatModel {
  return {
    id: model.id,
    accepts: model.accepts,
    reply: (request, signal, onText) =>
      recorded(calls, { kind: 'chat', model: model.id, request }, signal, () => model.reply(request, signal, onText)),
    close: async () => model.close?.(),
  }
}

// Answers from the record alone, byte for byte; what was never asked before is an error and never a guess.
export function replayingChat(model: Pick<ChatModel, 'id' | 'accepts'>, calls: CallStore): ChatModel {
  return {
    id: model.id,
    accepts: model.accepts,
    async reply(request, _signal, onText) {
      const call = await calls.replay(request)
      if (!call) throw notRecorded(request)
      if (call.error) throw new BackendError(call.error.message, { retryable: call.error.retryable })
      const reply = call.reply as ChatReply
      if (reply.text) onText?.(reply.text)
      return reply
    },
  }
}

function notRecorded(request: ChatRequest): UsageError {
  const last = request.messages.at(-1)
  const asked = last ? textOf(last.content).replace(/\s+/g, ' ').slice(0, 120) : 'no message'
  const hash = contentHash(request).slice(0, 12)
  return new UsageError(`No recorded reply to this "${request.purpose}" call (${hash}…): "${asked}".`, {
    hint: 'Prompts, settings or the index have changed since the recording: record the run anew.',
  })
}

function withoutBytes(value: unknown, bytes: Map<string, Uint8Array>): unknown {
  if (value instanceof Uint8Array) {
    const text = JSON.parse(stableJson(value)) as string
    bytes.set(text.slice('bytes:'.length), value)
    return text
  }
  if (Array.isArray(value)) return value.map(item => withoutBytes(item, bytes))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutBytes(item, bytes)]))
}

async function writeOnce(file: string, content: Uint8Array): Promise<void> {
  const there = await access(file).then(
    () => true,
    () => false,
  )
  if (!there) await writeDurably(file, content)
}
