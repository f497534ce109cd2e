// A call log: the folder `calls` of a run.
//
//   <hash>.json      a call as src/core/run/call-record.ts has it
//   <hash>-2.json    the second time that the same request was made in this run; -3 the third, and so on
//   servers.json     { "format": 1, "kind": "servers", "tools": [{ name, description, schema, danger }] }: what MCP servers offered
//   bytes/<sha256>   what the requests hold of images and sounds, each once
//
// <hash> is contentHash(request) of src/core/json.ts: sha256 of the JSON with sorted keys, in which bytes stand for their own
// sha256. The hashes are taken before secrets are taken out of what is written.

import { join } from 'node:path'
import { type ChatModel, type ChatRequest, decorate, emptyUsage, type Usage } from '../../core/chat.ts'
import { BackendError, LongtakeError } from '../../core/errors.ts'
import { contentHash, stableJson } from '../../core/json.ts'
import { type CallRecord, chatKey } from '../../core/run/call-record.ts'
import type { Tool, ToolContext, ToolResult } from '../../core/tool.ts'
import { ensureFolder, writeWhole } from '../durable.ts'
import { exists } from '../read-file.ts'
import type { Redact } from '../redact.ts'
import { onDisk } from '../storage-error.ts'

type Call = Pick<CallRecord, 'kind' | 'model'> & { request: object; accepts?: string[] }

// Writes every call down, faults included: a retry is a part of the run.
export function recordCalls(folder: string, redact: Redact) {
  const times = new Map<string, number>() // how often each request was made

  const count = (hash: string) => {
    const time = (times.get(hash) ?? 0) + 1
    times.set(hash, time)
    return time
  }

  const write = async (call: Call, outcome: { begun: number; seconds: number; reply?: unknown; error?: object }) => {
    const hash = contentHash(call.request)
    const key = call.kind === 'chat' ? chatKey(call.request as ChatRequest) : hash
    const time = count(hash)
    const file = join(folder, time === 1 ? `${hash}.json` : `${hash}-${time}.json`)
    await onDisk(`record a call in ${folder}`, async () => {
      const bytes = new Map<string, Uint8Array>()
      const request = withoutBytes(call.request, bytes)
      const reply = withoutBytes(outcome.reply, bytes)
      await ensureFolder(bytes.size > 0 ? join(folder, 'bytes') : folder)
      for (const [hash, content] of bytes) await writeOnce(join(folder, 'bytes', hash), content)
      await writeWhole(
        file,
        `${JSON.stringify(redact({ format: 1, ...call, ...outcome, key, request, reply }), null, 1)}\n`,
      )
    })
  }

  const recorded = async <Reply>(call: Call, signal: AbortSignal, work: () => Promise<Reply>): Promise<Reply> => {
    const begun = Date.now()
    const started = performance.now()
    const outcome = () => ({ begun, seconds: Math.round(performance.now() - started) / 1000 })
    try {
      const reply = await work()
      await write(call, { ...outcome(), reply })
      return reply
    } catch (error) {
      if (!signal.aborted && error instanceof LongtakeError) await write(call, { ...outcome(), error: failure(error) })
      throw error
    }
  }

  return {
    // A call that is recorded already was made again: the next one is not the first.
    known: (request: unknown) => void count(contentHash(request)),
    model: (model: ChatModel): ChatModel =>
      decorate(model, (request, signal, onText) =>
        recorded({ kind: 'chat', model: model.id, accepts: [...model.accepts], request }, signal, () =>
          model.reply(request, signal, onText),
        ),
      ),
    tool: (tool: Tool): Tool => ({
      ...tool,
      async run(input, context) {
        const spent = { ...emptyUsage }
        const request = { tool: tool.name, input }
        const reply = await recorded({ kind: 'tool', model: tool.name, request }, context.signal, async () => {
          return { ...(await tool.run(input, counting(context, spent))), spent }
        })
        return stripSpent(reply)
      },
    }),
  }
}

export function stripSpent({ spent: _, ...result }: ToolResult & { spent: Usage }): ToolResult {
  return result
}

function counting(context: ToolContext, spent: Usage): ToolContext {
  return {
    ...context,
    spend(usage) {
      for (const name of ['calls', 'inputTokens', 'outputTokens', 'frames', 'money'] as const)
        spent[name] += usage[name] ?? 0
      context.spend(usage)
    },
  }
}

function failure(error: LongtakeError): object {
  const { retryable = false, reason, usage } = error instanceof BackendError ? error : {}
  return { message: error.message, hint: error.hint, retryable, reason, usage }
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
  if (!(await exists(file))) await writeWhole(file, content)
}
