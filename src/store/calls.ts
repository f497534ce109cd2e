// Recorded calls: the folder `calls` of a run.
//
//   <hash>.json      { "format": 1, "kind": "chat", "model": "chat/ollama/qwen3:4b", "request": {…}, "reply": {…}, "seconds": 1.25 }
//   <hash>-2.json    the second time that the same request was made in this run; -3 the third, and so on
//   servers.json     { "format": 1, "kind": "servers", "tools": [{ name, description, schema, danger }] }: what MCP servers offered
//   bytes/<sha256>   what the requests hold of images and sounds, each once
//
// <hash> is contentHash(request) of src/core/hash.ts: sha256 of the JSON with sorted keys, in which bytes stand for their own
// sha256. In a file bytes are written as the text "bytes:<sha256>". For "chat" the request is the ChatRequest and the reply
// the ChatReply; for "tool" the request is { tool, input }. A call that failed has "error": { message, hint, retryable, reason } in
// place of "reply". "key" is what a request is found by when it is asked again (src/core/chat-key.ts), "begun" when it was asked.
// The hashes are taken before secrets are taken out of what is written. models/chat/recorded.ts replays such a folder.

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatModel, ChatRequest } from '../core/chat.ts'
import { chatKey } from '../core/chat-key.ts'
import { BackendError, type BackendReason, LongtakeError } from '../core/errors.ts'
import { contentHash, stableJson } from '../core/hash.ts'
import { makeFolder, writeWhole } from './durable.ts'
import type { Redact } from './redact.ts'
import { onDisk } from './storage-error.ts'

export interface RecordedCall {
  kind: 'chat' | 'tool'
  model: string // or the tool's name
  request: unknown
  reply?: unknown
  error?: { message: string; hint?: string; retryable: boolean; reason?: BackendReason }
  accepts?: string[] // what a chat model takes
  begun?: number // milliseconds since 1970
  seconds: number
}

export interface CallStore {
  record(call: RecordedCall): Promise<void>
  known(request: unknown): void // one that is recorded already was asked for again: the next one is not the first
}

export function openCalls(folder: string, redact: Redact): CallStore {
  const times = new Map<string, number>() // how often each request was made

  const count = (hash: string) => {
    const time = (times.get(hash) ?? 0) + 1
    times.set(hash, time)
    return time
  }

  return {
    known: request => void count(contentHash(request)),
    async record(call) {
      const hash = contentHash(call.request)
      const key = call.kind === 'chat' ? chatKey(call.request as ChatRequest) : hash
      const time = count(hash)
      const file = join(folder, time === 1 ? `${hash}.json` : `${hash}-${time}.json`)
      await onDisk(`record a call in ${folder}`, async () => {
        await makeFolder(join(folder, 'bytes'))
        const bytes = new Map<string, Uint8Array>()
        const request = withoutBytes(call.request, bytes)
        const reply = withoutBytes(call.reply, bytes)
        for (const [hash, content] of bytes) await writeOnce(join(folder, 'bytes', hash), content)
        await writeWhole(file, `${JSON.stringify(redact({ format: 1, ...call, key, request, reply }), null, 1)}\n`)
      })
    },
  }
}

// Does the work and keeps what it was asked and what came of it, faults included: a retry is a part of the run.
export async function recorded<Reply>(
  calls: CallStore,
  call: Pick<RecordedCall, 'kind' | 'model' | 'request' | 'accepts'>,
  signal: AbortSignal,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const begun = Date.now()
  const started = performance.now()
  const seconds = () => Math.round(performance.now() - started) / 1000
  try {
    const reply = await work()
    await calls.record({ ...call, begun, reply, seconds: seconds() })
    return reply
  } catch (error) {
    if (!signal.aborted && error instanceof LongtakeError)
      await calls.record({ ...call, begun, error: asRecorded(error), seconds: seconds() })
    throw error
  }
}

function asRecorded(error: LongtakeError): RecordedCall['error'] {
  const { retryable = false, reason } = error instanceof BackendError ? error : {}
  return { message: error.message, hint: error.hint, retryable, reason }
}

// The same model, with every call written down.
export function recordingChat(model: ChatModel, calls: CallStore): ChatModel {
  return {
    id: model.id,
    accepts: model.accepts,
    reply: (request, signal, onText) =>
      recorded(calls, { kind: 'chat', model: model.id, accepts: [...model.accepts], request }, signal, () =>
        model.reply(request, signal, onText),
      ),
    close: async () => model.close?.(),
  }
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
  if (!there) await writeWhole(file, content)
}
