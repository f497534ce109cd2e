import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChatModel, type ChatReply, type ChatRequest, type Modality, ToolCall, Usage } from '../../core/chat.ts'
import { chatKey } from '../../core/chat-key.ts'
import { BackendError } from '../../core/errors.ts'
import { Evidence } from '../../core/evidence.ts'
import { contentHash } from '../../core/hash.ts'
import type { Tool, ToolContext, ToolResult } from '../../core/tool.ts'
import { type CallStore, openCalls, recorded } from '../../store/calls.ts'
import type { Redact } from '../../store/redact.ts'

const Common = z.object({
  model: z.string(),
  request: z.looseObject({}),
  key: z.string().optional(),
  begun: z.number().default(0),
  error: z.object({ message: z.string(), hint: z.string().optional(), retryable: z.boolean() }).optional(),
})
const ChatRecord = Common.extend({
  kind: z.literal('chat'),
  accepts: z.array(z.enum(['text', 'image', 'audio', 'video'])).optional(),
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
})

const ToolReply = z.object({
  evidence: z.array(Evidence),
  text: z.string().optional(),
  outcome: z.enum(['found', 'nothing']).optional(),
  spent: Usage,
})
type ToolReply = z.infer<typeof ToolReply>
const ToolRecord = Common.extend({ kind: z.literal('tool'), reply: ToolReply.optional() })

// Models and tools whose calls are written down in a folder. What that folder holds already, from before the run was stopped,
// is read from there: no call is paid for twice.
export interface ContinuedCalls {
  model(model: ChatModel): ChatModel
  tool(tool: Tool): Tool
}

export function continuedCalls(
  folder: string,
  redact: Redact,
  calls: CallStore = openCalls(folder, redact),
): ContinuedCalls {
  let reading: Promise<RecordedReplies> | undefined
  const before = () => {
    reading ??= readCalls(folder, 'replies')
    return reading
  }
  return {
    model: model => ({
      id: model.id,
      accepts: model.accepts,
      async reply(request, signal, onText) {
        const known = (await before()).chat(model.id, request)
        if (!known)
          return recorded(calls, { kind: 'chat', model: model.id, accepts: [...model.accepts], request }, signal, () =>
            model.reply(request, signal, onText),
          )
        signal.throwIfAborted()
        calls.known(request)
        onText?.(known.text)
        return known
      },
      close: async () => model.close?.(),
    }),
    tool: tool => ({
      ...tool,
      async run(input, context) {
        const request = { tool: tool.name, input }
        const known = (await before()).tool(request)
        if (known) {
          calls.known(request)
          context.spend(known.spent)
          return resultOf(known)
        }
        const spent = { ...Usage.parse({}) }
        const reply = await recorded(calls, { kind: 'tool', model: tool.name, request }, context.signal, async () => {
          return { ...(await tool.run(input, counting(context, spent))), spent } satisfies ToolReply
        })
        return resultOf(reply)
      },
    }),
  }
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

export function resultOf({ spent: _, ...result }: ToolReply): ToolResult {
  return result
}

// What a folder of calls holds, each reply given once, those to the same request in the order in which they came.
export interface RecordedReplies {
  chat(model: string, request: ChatRequest): ChatReply | undefined
  tool(request: { tool: string; input: unknown }): ToolReply | undefined
  models: { id: string; accepts?: Modality[]; purposes: string[] }[] // that were asked
}

// `replies`: a call that failed is made again. `all`: it fails again in the same way, so that what came of it comes again.
export async function readCalls(folder: string, which: 'replies' | 'all'): Promise<RecordedReplies> {
  const chats = new Map<string, Given<ChatReply>[]>()
  const tools = new Map<string, Given<ToolReply>[]>()
  const models = new Map<string, RecordedReplies['models'][number]>()
  // A benchmark keeps the calls of each question in a folder of its own.
  const found = await readdir(folder, { recursive: which === 'all' }).catch(() => [])
  const names = found.filter(name => name.endsWith('.json') && !name.includes('bytes/'))
  const texts = await Promise.all(
    names.sort((a, b) => numberOf(a) - numberOf(b)).map(name => readFile(join(folder, name), 'utf8')),
  )
  for (const text of texts) {
    const value = jsonOf(text)
    const chat = ChatRecord.safeParse(value).data
    const tool = chat ? undefined : ToolRecord.safeParse(value).data
    if (chat && (chat.reply || which === 'all')) {
      add(chats, `${chat.model} ${chat.key ?? chatKey(chat.request)}`, chat)
      const about = models.get(chat.model) ?? { id: chat.model, accepts: chat.accepts, purposes: [] }
      about.purposes.push(String(chat.request.purpose))
      models.set(chat.model, about)
    }
    if (tool && (tool.reply || which === 'all')) add(tools, tool.key ?? contentHash(tool.request), tool)
  }
  return {
    chat: (model, request) => given(chats.get(`${model} ${chatKey(request)}`)?.shift()),
    tool: request => given(tools.get(contentHash(request))?.shift()),
    models: [...models.values()],
  }
}

interface Given<Reply> {
  begun: number
  reply?: Reply
  error?: { message: string; hint?: string; retryable: boolean }
}

function given<Reply>(call: Given<Reply> | undefined): Reply | undefined {
  if (!call?.error) return call?.reply
  throw new BackendError(call.error.message, { hint: call.error.hint, retryable: call.error.retryable })
}

function add<Reply>(lists: Map<string, Given<Reply>[]>, key: string, one: Given<Reply>): void {
  lists.set(
    key,
    [...(lists.get(key) ?? []), one].sort((a, b) => a.begun - b.begun),
  )
}

// "<hash>-3.json" is the third time that a request was made.
function numberOf(name: string): number {
  return Number(/-(\d+)\.json$/.exec(name)?.[1] ?? 1)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
