import { z } from 'zod'
import type { ChatRequest } from '../../src/core/chat.ts'

// What a request leaves open, every language model lets the user fix.
export const chatDefaults = {
  temperature: z.number().min(0).max(2).optional().describe('where a request does not say'),
  maxTokens: z.number().int().positive().optional().describe('longest reply in tokens, where a request does not say'),
  seed: z.number().int().optional().describe('where a request does not say'),
}

export function withDefaults(
  request: ChatRequest,
  settings: { temperature?: number; maxTokens?: number; seed?: number },
): ChatRequest {
  return {
    ...request,
    temperature: request.temperature ?? settings.temperature,
    maxTokens: request.maxTokens ?? settings.maxTokens,
    seed: request.seed ?? settings.seed,
  }
}
