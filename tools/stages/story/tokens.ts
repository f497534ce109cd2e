import { type ChatRequest, contentText } from '../../../src/core/chat.ts'
import { type Evidence, rowLine } from '../../../src/core/evidence.ts'

// Tokens of a text, estimated from above: four letters of the alphabet are one, ids and digits take more, and so does any other script.
export function roughTokens(text: string): number {
  const dense = text.match(/[0-9[\]{}":,.-]|[^\0-\x7f]/g)?.length ?? 0
  return Math.ceil((text.length - dense) / 3.5 + dense * 0.8)
}

export function rowTokens(row: Evidence): number {
  return roughTokens(rowLine(row)) + 1
}

export function requestTokens({ messages, schema }: ChatRequest): number {
  return roughTokens([...messages.map(({ content }) => contentText(content)), JSON.stringify(schema ?? '')].join('\n'))
}
