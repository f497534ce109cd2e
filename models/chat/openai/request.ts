import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { ChatMessage, ChatRequest, ContentPart } from '../../../src/core/chat.ts'
import type { TransportRequest } from '../adapter/chat-transport.ts'
import { joinText } from '../request.ts'

interface BodySettings {
  model: string
  schemaMode: 'json_schema' | 'json_object' | 'prompt'
  extra: Record<string, unknown>
  atOnce?: object // fields that ask not to think
}

interface PartForms {
  audioAs?: 'input_audio' | 'audio_url'
  videos?: ReadonlyMap<string, string> // addresses, by the ids of the videos
}

// Where a server finds the videos of a request: in the request itself, or on the disk that it shares.
export async function videoAddresses(
  { messages }: Pick<ChatRequest, 'messages'>,
  sharesDisk = false,
): Promise<Map<string, string>> {
  const addresses = new Map<string, string>()
  for (const contentPart of messages.flatMap(({ content }) => content)) {
    if (contentPart.type !== 'video' || addresses.has(contentPart.id)) continue
    const file = contentPart.file()
    const address = sharesDisk
      ? pathToFileURL(file).href
      : `data:${contentPart.mime};base64,${(await readFile(file)).toString('base64')}`
    addresses.set(contentPart.id, address)
  }
  return addresses
}

// The body of a chat completion request.
export function openaiBody(request: TransportRequest, settings: BodySettings & PartForms, stream: boolean): object {
  const { tools = [], toolChoice, schema } = request
  const body: Record<string, unknown> = {
    model: settings.model,
    messages: request.messages.map(message => openaiMessage(message, settings)),
    temperature: request.temperature,
    max_tokens: request.maxTokens,
    seed: request.seed,
    ...(tools.length > 0 && {
      tools: tools.map(tool => ({ type: 'function', function: tool })),
      tool_choice: toolChoice ?? 'auto',
    }),
    ...(schema && { response_format: responseFormat(schema, settings.schemaMode) }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
    ...(request.think === false && settings.atOnce),
    ...settings.extra,
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null))
}

function openaiMessage(message: ChatMessage, forms: PartForms): object {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.call, name: message.name, content: joinText(message.content) }
  if (message.role !== 'assistant') return { role: message.role, content: openaiContent(message.content, forms) }
  const calls = message.calls?.map(call => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
  }))
  return { role: 'assistant', content: joinText(message.content), ...(calls?.length && { tool_calls: calls }) }
}

// Content without pictures or sound is a plain string.
export function openaiContent(content: readonly ContentPart[], forms: PartForms = {}): string | object[] {
  return content.every(part => part.type === 'text') ? joinText(content) : content.map(part => openaiPart(part, forms))
}

function openaiPart(part: ContentPart, { audioAs, videos }: PartForms): object {
  if (part.type === 'text') return part
  if (part.type === 'image')
    return {
      type: 'image_url',
      image_url: {
        url: `data:image/jpeg;base64,${Buffer.from(part.jpeg).toString('base64')}`,
        ...(part.detail && { detail: part.detail }),
      },
    }
  if (part.type === 'video') return { type: 'video_url', video_url: { url: videos?.get(part.id) ?? '' } }
  const data = Buffer.from(part.wav).toString('base64')
  if (audioAs === 'audio_url') return { type: 'audio_url', audio_url: { url: `data:audio/wav;base64,${data}` } }
  return { type: 'input_audio', input_audio: { data, format: 'wav' } }
}

function responseFormat(
  { name, schema }: NonNullable<ChatRequest['schema']>,
  mode: BodySettings['schemaMode'],
): object {
  if (mode === 'json_object') return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { name, schema, ...(isStrict(schema) && { strict: true }) } }
}

// Hosted servers refuse "strict" for a schema with optional or additional properties.
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (!schema || typeof schema !== 'object') return true
  const { properties, required, additionalProperties } = schema as Record<string, unknown>
  if (properties && typeof properties === 'object') {
    const all = Object.keys(properties).every(key => Array.isArray(required) && required.includes(key))
    if (!all || additionalProperties !== false) return false
  }
  return Object.values(schema).every(isStrict)
}
