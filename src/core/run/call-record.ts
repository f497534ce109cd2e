import { z } from 'zod'
import { ChatReply, type ChatRequest, Modality, Usage } from '../chat.ts'
import { BackendError, backendReasons } from '../errors.ts'
import { Evidence } from '../evidence.ts'
import { contentHash } from '../json.ts'
import { HelperStep } from './step.ts'

// What a tool gave and what that cost.
const ToolReply = z.object({
  evidence: z.array(Evidence),
  text: z.string().optional(),
  outcome: z.enum(['found', 'nothing']).optional(),
  steps: z.array(HelperStep).optional(),
  spent: Usage,
})
type ToolReply = z.infer<typeof ToolReply>

const common = {
  format: z.literal(1),
  model: z.string(), // or the tool's name
  request: z.looseObject({}), // a ChatRequest, or { tool, input }; bytes stand as "bytes:<sha256>"
  key: z.string().optional(), // what the request is found by when it is asked again; absent in old files
  begun: z.number().default(0), // milliseconds since 1970
  seconds: z.number(),
  error: z
    .object({
      message: z.string(),
      hint: z.string().optional(),
      retryable: z.boolean(),
      reason: z.enum(backendReasons).optional().catch(undefined),
      usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).optional(), // absent in old files
    })
    .optional(), // in place of a reply
}

// A recorded call of a chat model or a tool: one file of a call log (src/store/call-log/).
export const CallRecord = z.union([
  z.object({
    ...common,
    kind: z.literal('chat').default('chat'),
    accepts: z.array(Modality).optional(), // what the model takes
    reply: ChatReply.optional(),
    row: z.string().optional(), // of an ablation, that made the call
    role: z.string().optional(),
  }),
  z.object({ ...common, kind: z.literal('tool'), reply: ToolReply.optional() }),
])
export type CallRecord = z.infer<typeof CallRecord>
type ChatRecord = Extract<CallRecord, { kind: 'chat' }>
type ToolRecord = Extract<CallRecord, { kind: 'tool' }>

// What a chat request is known by when it is asked again: all that a model sees of it. The data beside the messages hold how
// long things took, which differs each time; no language model sees them.
export function chatKey(request: ChatRequest | Record<string, unknown>): string {
  const { brief, ...seen } = request
  return contentHash([seen, request.messages ? undefined : brief])
}

// Recorded replies by their requests. Each is given once; those to equal requests come in the order in which they were asked.
export interface RecordedReplies {
  chat(request: ChatRequest, model?: string): ChatReply | undefined // of any model where none is named
  tool(request: { tool: string; input: unknown }): ToolReply | undefined
  models: { id: string; accepts?: Modality[]; purposes: string[] }[] // that were asked
}

// A recorded call that failed throws its error again.
export function collectReplies(records: readonly CallRecord[]): RecordedReplies {
  const chats = records.filter(record => record.kind === 'chat')
  const ofModel = new Queues<ChatRecord>(record => `${record.model} ${record.key ?? chatKey(record.request)}`, chats)
  const ofAny = new Queues<ChatRecord>(record => record.key ?? chatKey(record.request), chats)
  const tools = new Queues<ToolRecord>(
    record => record.key ?? contentHash(record.request),
    records.filter(record => record.kind === 'tool'),
  )
  const models = new Map<string, RecordedReplies['models'][number]>()
  for (const { model, accepts, request } of chats) {
    const about = models.get(model) ?? { id: model, accepts, purposes: [] }
    about.purposes.push(showsFrames(request) ? 'look' : String(request.purpose))
    models.set(model, about)
  }
  return {
    chat: (request, model) =>
      replayReply(model === undefined ? ofAny.next(chatKey(request)) : ofModel.next(`${model} ${chatKey(request)}`)),
    tool: request => replayReply(tools.next(contentHash(request))),
    models: [...models.values()],
  }
}

// A rating by sight is asked of the model that looks, and not of the one that checks. A planner that sees stays the planner.
function showsFrames({ purpose, brief }: Record<string, unknown>): boolean {
  return purpose === 'rate' && typeof brief === 'object' && brief !== null && 'kind' in brief && brief.kind === 'sight'
}

class Queues<Item extends { begun: number }> {
  readonly #lists = new Map<string, Item[]>()

  constructor(keyOf: (item: Item) => string, items: readonly Item[]) {
    for (const item of [...items].sort((a, b) => a.begun - b.begun)) {
      const key = keyOf(item)
      const list = this.#lists.get(key)
      if (list) list.push(item)
      else this.#lists.set(key, [item])
    }
  }

  next(key: string): Item | undefined {
    return this.#lists.get(key)?.shift()
  }
}

function replayReply<Reply>(record: { reply?: Reply; error?: CallRecord['error'] } | undefined): Reply | undefined {
  if (!record?.error) return record?.reply
  const { message, ...rest } = record.error
  throw new BackendError(message, rest)
}

// "<hash>-3.json" is the third time that a request was made.
export function callCount(name: string): number {
  return Number(/-(\d+)\.json$/.exec(name)?.[1] ?? 1)
}
