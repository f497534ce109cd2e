import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ChatModel, type ChatReply, type ChatRequest, ToolCall } from '../../core/chat.ts'
import { contentHash } from '../../core/hash.ts'
import { openCalls, recorded } from '../../store/calls.ts'
import type { Redact } from '../../store/redact.ts'

const Recorded = z.object({
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

// The models of one question, each call written down in the question's folder. A question that a kill cut short is asked again
// from its beginning, but what its models had replied by then is read from there and not paid for twice.
export function continuedChats(folder: string, redact: Redact): (model: ChatModel) => ChatModel {
  const calls = openCalls(folder, redact)
  let before: Promise<Map<string, ChatReply[]>> | undefined
  return model => ({
    id: model.id,
    accepts: model.accepts,
    async reply(request, signal, onText) {
      before ??= recordedReplies(folder)
      const known = (await before).get(keyOf(model.id, request))?.shift()
      if (!known)
        return recorded(calls, { kind: 'chat', model: model.id, request }, signal, () =>
          model.reply(request, signal, onText),
        )
      signal.throwIfAborted()
      onText?.(known.text)
      return known
    },
    close: async () => model.close?.(),
  })
}

// The data beside the messages hold how long things took, which differs each time; a model never sees them.
function keyOf(model: string, request: ChatRequest | Record<string, unknown>): string {
  const { brief: _, ...seen } = request
  return contentHash([model, seen])
}

async function recordedReplies(folder: string): Promise<Map<string, ChatReply[]>> {
  const replies = new Map<string, ChatReply[]>()
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json'))
  for (const name of names.sort((a, b) => numberOf(a) - numberOf(b))) {
    const parsed = Recorded.safeParse(jsonOf(await readFile(join(folder, name), 'utf8')))
    if (!parsed.success) continue // a call that failed, which is made again
    const key = keyOf(parsed.data.model, parsed.data.request)
    replies.set(key, [...(replies.get(key) ?? []), parsed.data.reply])
  }
  return replies
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
