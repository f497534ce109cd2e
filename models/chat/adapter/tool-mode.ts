import { z } from 'zod'
import type { ChatMessage, ContentPart, ToolCall, ToolCard } from '../../../src/core/chat.ts'
import { joinText, toolsToOffer } from '../request.ts'
import type { TransportRequest } from './chat-transport.ts'

// How tools are offered to a model: native tool calling, JSON of a schema, or text between <tool_call> tags. "auto"
// starts with native and switches to schema when the server refuses tools.
export const ToolMode = z.enum(['auto', 'native', 'schema', 'text'])
export type ToolMode = z.infer<typeof ToolMode>
export type SpokenMode = Exclude<ToolMode, 'auto'>

// Rewrites a conversation for a model without tool messages: calls and results become plain text.
export function withoutTools(request: TransportRequest, mode: 'schema' | 'text'): TransportRequest {
  const { tools: _, toolChoice: __, schema, ...rest } = request
  const offered = toolsToOffer(request)
  const messages = merged(request.messages.map(message => plainMessage(message, mode)))
  if (offered.length === 0) return { ...rest, schema, messages }
  if (mode === 'text') return { ...rest, schema, messages: withNote(messages, textNote(offered)) }
  return {
    ...rest,
    messages: withNote(messages, schemaNote(offered)),
    schema: { name: 'next_step', schema: stepSchema(offered, schema?.schema) },
  }
}

// The JSON schema of a reply in schema mode: a thought, then either calls or the answer.
function stepSchema(tools: readonly ToolCard[], answer: object = { type: 'string' }): object {
  const call = (tool: ToolCard) => ({
    type: 'object',
    properties: { name: { type: 'string', enum: [tool.name] }, arguments: tool.parameters },
    required: ['name', 'arguments'],
    additionalProperties: false,
  })
  return {
    type: 'object',
    properties: {
      thought: { type: 'string' },
      calls: { type: 'array', items: { anyOf: tools.map(call) } },
      answer: { anyOf: [answer, { type: 'null' }] },
    },
    required: ['thought', 'calls', 'answer'],
    additionalProperties: false,
  }
}

interface ReadStep {
  calls: { name: string; arguments: unknown }[]
  text: string
}

// Parses a step; undefined if it is not one. Arguments are not checked here: checking the call reports errors to the
// model.
export function readStep(value: unknown): ReadStep | undefined {
  const step = Step.safeParse(value)
  if (!step.success) return undefined
  const calls = step.data.calls ?? []
  const { answer } = step.data
  const answerText = typeof answer === 'string' ? answer : JSON.stringify(answer ?? '')
  return { calls, text: calls.length > 0 || !answer ? '' : answerText.trim() }
}

const Step = z
  .object({
    calls: z.array(z.object({ name: z.string(), arguments: z.unknown().default({}) })).nullish(),
    answer: z.unknown().optional(),
  })
  .refine(step => step.calls || step.answer !== undefined)

function schemaNote(tools: readonly ToolCard[]): string {
  return [
    'You work with tools. Reply with one JSON object: {"thought": short reasoning, "calls": [{"name": tool, "arguments": {...}}], "answer": null}.',
    'To use tools, list them in "calls" and leave "answer" null. When you need no more tools, leave "calls" empty and put your reply into "answer".',
    `The tools, with the JSON schema of their arguments:\n${cards(tools)}`,
  ].join('\n')
}

function textNote(tools: readonly ToolCard[]): string {
  return [
    'You work with tools. To use one, write a line of this form and nothing after it; several lines call several tools:',
    '<tool_call>{"name": "tool", "arguments": {"key": "value"}}</tool_call>',
    'When you need no more tools, reply in plain words without such a line.',
    `The tools, with the JSON schema of their arguments:\n${cards(tools)}`,
  ].join('\n')
}

function cards(tools: readonly ToolCard[]): string {
  return tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join('\n')
}

function plainMessage(message: ChatMessage, mode: 'schema' | 'text'): ChatMessage {
  if (message.role === 'tool') {
    const content: ContentPart[] = [{ type: 'text', text: `Result of ${message.name}:\n` }, ...message.content]
    return { role: 'user', content }
  }
  if (message.role !== 'assistant' || !message.calls?.length) return message
  const text = joinText(message.content)
  const written = mode === 'text' ? textCalls(text, message.calls) : jsonCalls(text, message.calls)
  return { role: 'assistant', content: [{ type: 'text', text: written }] }
}

function textCalls(text: string, calls: ToolCall[]): string {
  const lines = calls.map(
    call => `<tool_call>${JSON.stringify({ name: call.name, arguments: call.arguments })}</tool_call>`,
  )
  return [text, ...lines].filter(line => line !== '').join('\n')
}

function jsonCalls(text: string, calls: ToolCall[]): string {
  const written = calls.map(call => ({ name: call.name, arguments: call.arguments }))
  return JSON.stringify({ thought: text, calls: written, answer: null })
}

// Merges consecutive user messages: many chat templates require user and assistant to alternate.
function merged(messages: ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  for (const message of messages) {
    const last = out.at(-1)
    if (last?.role === 'user' && message.role === 'user') {
      out[out.length - 1] = {
        role: 'user',
        content: [...last.content, { type: 'text', text: '\n\n' }, ...message.content],
      }
    } else out.push(message)
  }
  return out
}

export function withNote(messages: ChatMessage[], note: string): ChatMessage[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: [{ type: 'text', text: note }] }, ...messages]
  return [{ role: 'system', content: [...first.content, { type: 'text', text: `\n\n${note}` }] }, ...rest]
}
