import type { Precision } from '../../hub/hub-model.ts'
import type { Provider } from '../../onnx/device.ts'

export type OnnxChatKind = 'text' | 'vision'

// The ONNX files of a chat model: one, or one for each of its parts.
export const chatModelParts = [
  'model',
  'embed_tokens',
  'vision_encoder',
  'audio_encoder',
  'decoder_model_merged',
] as const
export type ChatModelPart = (typeof chatModelParts)[number]
export type PartPrecision = Partial<Record<ChatModelPart, Precision>>

export interface RgbPicture {
  width: number
  height: number
  rgb: Uint8Array
}

// A message as a chat template reads it.
export interface TemplateMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | ({ type: 'text'; text: string } | { type: 'image' | 'audio' | 'video' })[]
  name?: string
  tool_calls?: { type: 'function'; function: { name: string; arguments: unknown } }[]
}

export interface ChatPrompt {
  messages: TemplateMessage[]
  pictures: RgbPicture[] // in the order of their places in the messages
  sounds: Float32Array[] // likewise, 16 kHz
  tools?: object[]
  think?: false // models that think are to answer at once
  temperature: number
  maxTokens: number // of the reply
  context: number // tokens of prompt and reply together
  seed?: number
}

export interface OpenChat {
  kind: 'open'
  folder: string
  model: OnnxChatKind
  providers: Provider[]
  threads: number
  precision: PartPrecision
  template?: string // in place of the one in tokenizer_config.json
}

export type OnnxChatJob = OpenChat | { kind: 'write'; writing: ChatPrompt }

export type WrittenReply =
  | { text: string; inputTokens: number; outputTokens: number; stop: 'end' | 'length' }
  | { tooLong: number } // tokens of the prompt
  | { refused: string } // why, after the name of the model
