import type { Precision } from '../../hub/hub-model.ts'
import type { Provider } from '../../onnx/device.ts'

export type OnnxChatKind = 'text' | 'vision'

export interface Picture {
  width: number
  height: number
  rgb: Uint8Array
}

// A message as a chat template reads it.
export interface TemplateMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | ({ type: 'text'; text: string } | { type: 'image' })[]
  name?: string
  tool_calls?: { type: 'function'; function: { name: string; arguments: unknown } }[]
}

export interface Writing {
  messages: TemplateMessage[]
  pictures: Picture[] // in the order of their places in the messages
  tools?: object[]
  think?: false // models that think are to answer at once
  temperature: number
  maxTokens: number // of the reply
  context: number // tokens of prompt and reply together
  seed?: number
}

export type OnnxChatJob =
  | { kind: 'open'; folder: string; model: OnnxChatKind; providers: Provider[]; threads: number; precision: Precision }
  | { kind: 'write'; writing: Writing }

export type WrittenReply =
  | { text: string; inputTokens: number; outputTokens: number; stop: 'end' | 'length' }
  | { tooLong: number } // tokens of the prompt
