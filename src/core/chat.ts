import { z } from 'zod'
import type { Closable } from './backend.ts'

export const Usage = z.object({
  calls: z.number().default(0),
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  frames: z.number().default(0), // frames shown to a model
  seconds: z.number().default(0),
  money: z.number().default(0),
})
export type Usage = z.infer<typeof Usage>

// Of a million tokens, in the currency of the settings.
export interface Price {
  input: number
  output: number
}

export const emptyUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, frames: 0, seconds: 0, money: 0 }

export function addUsage(a: Usage, b: Partial<Usage>): Usage {
  return {
    calls: a.calls + (b.calls ?? 0),
    inputTokens: a.inputTokens + (b.inputTokens ?? 0),
    outputTokens: a.outputTokens + (b.outputTokens ?? 0),
    frames: a.frames + (b.frames ?? 0),
    seconds: a.seconds + (b.seconds ?? 0),
    money: a.money + (b.money ?? 0),
  }
}

// Frames of a video go as images; only a benchmark's own protocol sends a video itself.
export const Modality = z.enum(['text', 'image', 'audio', 'video'])
export type Modality = z.infer<typeof Modality>

export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image'; jpeg: Uint8Array; time?: number; detail?: 'low' | 'high' } // detail: where a server knows it
  | { type: 'audio'; wav: Uint8Array }
  | { type: 'video'; id: string; mime: string; file: () => string } // known by its content: no record holds where it lies

// `by` names the policy that made the call in place of a model.
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.unknown(),
  by: z.string().optional(),
})
export type ToolCall = z.infer<typeof ToolCall>

export type ChatMessage =
  | { role: 'system' | 'user'; content: ContentPart[] }
  | { role: 'assistant'; content: ContentPart[]; calls?: ToolCall[] }
  | { role: 'tool'; call: string; name: string; content: ContentPart[] }

// A tool as a model sees it.
export interface ToolCard {
  name: string
  description: string
  parameters: object // JSON schema
}

// What a call is for: limits, records and rule-based models go by it.
export type Purpose =
  | 'plan'
  | 'write'
  | 'outline'
  | 'check'
  | 'summarise'
  | 'look'
  | 'judge'
  | 'rate' // in recordings of older releases
  | 'translate'
  | 'caption'
  | 'probe'

// The longest answer in tokens that a step asks for, without thinking.
export const answerTokens = {
  plan: 2048,
  write: 2048,
  phrase: 96,
  outline: 800,
  check: 512,
  claim: 400,
  look: 600,
  caption: 1200,
} as const

export interface ChatRequest {
  purpose: Purpose
  messages: ChatMessage[]
  tools?: ToolCard[]
  toolChoice?: 'auto' | 'none'
  schema?: { name: string; schema: object } // the reply must be JSON of this schema
  temperature?: number
  maxTokens?: number
  mayThink?: true // although steps with this purpose are usually too short to think about
  seed?: number
  // The same content as the messages, as data. Language models never see it; rule-based ones read it instead of prose.
  brief?: unknown
}

export const ChatReply = z.object({
  text: z.string(), // without thinking
  thinking: z.string().optional(),
  calls: z.array(ToolCall),
  stop: z.enum(['end', 'calls', 'length', 'refused']),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
  model: z.string(), // as the server names what really ran
})
export type ChatReply = z.infer<typeof ChatReply>

export interface ChatModel extends Closable {
  id: string // "chat/ollama/qwen3:4b"
  accepts: ReadonlySet<Modality>
  atOnce?: number // calls that it takes side by side; without it, one
  contextTokens?: number // of prompt and reply together, where it is known
  thinkingTokens?: number // the room that it gives thinking, beyond the longest answer that is asked for
  // `onText` is called with pieces as they come, where the model streams.
  reply(request: ChatRequest, signal: AbortSignal, onText?: (piece: string) => void): Promise<ChatReply>
}

// The same model with another way to reply. Closing it closes the model.
export function decorate(model: ChatModel, reply: ChatModel['reply']): ChatModel {
  const { id, accepts, atOnce, contextTokens, thinkingTokens } = model
  return { id, accepts, atOnce, contextTokens, thinkingTokens, reply, close: async () => model.close?.() }
}

export function textContent(value: string): ContentPart[] {
  return [{ type: 'text', text: value }]
}

export function contentText(content: readonly ContentPart[]): string {
  return content.map(part => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}
