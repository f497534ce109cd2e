import { z } from 'zod'
import { type ChatReply, type ChatRequest, type ContentPart, Modality, type ToolCard } from '../../src/core/chat.ts'
import { countPictureTokens } from '../../src/media/picture-tokens.ts'

// Settings of every language model that apply where a request does not say.
export const chatDefaults = {
  temperature: z.number().min(0).max(2).optional().describe('where a request does not say'),
  maxTokens: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('longest answer in tokens, where a request does not say or says less'),
  seed: z.number().int().optional().describe('where a request does not say'),
}

export const accepts = z
  .array(Modality)
  .default(['text', 'image'])
  .describe('what may be sent to the model; "longtake doctor" tries it, but for video')

// Of backends that send a limit with each request. No default in the schema: it depends on the model.
export const thinkingTokens = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe('room for thinking, added to the longest answer: 4096 unless told, 0 for a model known not to think')

export const usualThinking = 4096

export interface ChatDefaults {
  temperature?: number
  maxTokens?: number
  seed?: number
}

export function withChatDefaults(request: ChatRequest, settings: ChatDefaults): ChatRequest {
  return {
    ...request,
    temperature: request.temperature ?? settings.temperature,
    maxTokens: Math.max(request.maxTokens ?? 0, settings.maxTokens ?? 0) || undefined,
    seed: request.seed ?? settings.seed,
  }
}

// The tools that the model may call.
export function toolsToOffer({ tools = [], toolChoice }: ChatRequest): ToolCard[] {
  return toolChoice === 'none' ? [] : tools
}

// These tools in the form that most protocols share.
export function functionTools(request: ChatRequest): { type: 'function'; function: ToolCard }[] {
  return toolsToOffer(request).map(tool => ({ type: 'function', function: tool }))
}

export function joinText(content: readonly ContentPart[]): string {
  return content.map(part => (part.type === 'text' ? part.text : '')).join('')
}

export function charactersIn({ messages }: ChatRequest): number {
  return messages.reduce((sum, message) => sum + joinText(message.content).length, 0)
}

// Estimates four characters a token, and pictures by the model's family, so that budgets hold where nobody counts.
export function estimatedUsage(
  model: string,
  request: ChatRequest,
  { text, thinking = '' }: Pick<ChatReply, 'text' | 'thinking'>,
): ChatReply['usage'] {
  const parts = request.messages.flatMap(message => message.content)
  const pictures = parts.map(part => (part.type === 'image' ? countPictureTokens(model, part.jpeg) : 0))
  return {
    inputTokens: pictures.reduce((sum, tokens) => sum + tokens, Math.ceil(charactersIn(request) / 4)),
    outputTokens: Math.ceil((text.length + thinking.length) / 4),
  }
}
