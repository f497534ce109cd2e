import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChatModel, type ChatReply, type ChatRequest, ToolCall, Usage } from '../core/chat.ts'
import { Evidence } from '../core/evidence.ts'
import { contentHash } from '../core/hash.ts'
import type { Tool, ToolContext } from '../core/tool.ts'
import { type CallStore, openCalls, recorded } from '../store/calls.ts'
import type { Redact } from '../store/redact.ts'

const ChatRecord = z.object({
  kind: z.literal('chat'),
  model: z.string(),
  request: z.looseObject({}),
  reply: z.object({
    text: z.string(),
    thinking: z.string().optional(),
    calls: z.array(ToolCall),
    stop: z.enum(['end', 'calls', 'length', 'refused']),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
    model: z.string(),
  }),
})

const ToolRecord = z.object({
  kind: z.literal('tool'),
  model: z.string(),
  request: z.looseObject({}),
  reply: z.object({ evidence: z.array(Evidence), text: z.string().optional(), spent: Usage }),
})
type ToolReply = z.infer<typeof ToolRecord>['reply']

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
  let reading: Promise<Before> | undefined
  const before = () => {
    reading ??= readBefore(folder)
    return reading
  }
  return {
    model: model => ({
      id: model.id,
      accepts: model.accepts,
      async reply(request, signal, onText) {
        const known = (await before()).chats.get(chatKey(model.id, request))?.shift()
        if (!known)
          return recorded(calls, { kind: 'chat', model: model.id, request }, signal, () =>
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
        const known = (await before()).tools.get(contentHash(request))?.shift()
        if (known) {
          calls.known(request)
          context.spend(known.spent)
          return { evidence: known.evidence, ...(known.text === undefined ? {} : { text: known.text }) }
        }
        const spent = { ...Usage.parse({}) }
        const reply = await recorded(calls, { kind: 'tool', model: tool.name, request }, context.signal, async () => {
          const { evidence, text } = await tool.run(input, counting(context, spent))
          return { evidence, text, spent } satisfies ToolReply
        })
        return { evidence: reply.evidence, ...(reply.text === undefined ? {} : { text: reply.text }) }
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

// The data beside the messages hold how long things took, which differs each time; a model never sees them.
function chatKey(model: string, request: ChatRequest | Record<string, unknown>): string {
  const { brief, ...seen } = request
  return contentHash([model, seen, request.messages ? undefined : brief])
}

interface Before {
  chats: Map<string, ChatReply[]>
  tools: Map<string, ToolReply[]>
}

async function readBefore(folder: string): Promise<Before> {
  const before: Before = { chats: new Map(), tools: new Map() }
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json'))
  const texts = await Promise.all(
    names.sort((a, b) => numberOf(a) - numberOf(b)).map(name => readFile(join(folder, name), 'utf8')),
  )
  for (const text of texts) {
    const value = jsonOf(text)
    const chat = ChatRecord.safeParse(value).data
    const tool = chat ? undefined : ToolRecord.safeParse(value).data // neither: a call that failed, which is made again
    if (chat) add(before.chats, chatKey(chat.model, chat.request), chat.reply)
    if (tool) add(before.tools, contentHash(tool.request), tool.reply)
  }
  return before
}

function add<T>(lists: Map<string, T[]>, key: string, one: T): void {
  lists.set(key, [...(lists.get(key) ?? []), one])
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
