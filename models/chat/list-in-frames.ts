import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import { inOrder } from '../../src/core/basics/in-order.ts'
import { type ChatModel, type ChatRequest, type ContentPart, textContent } from '../../src/core/chat.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { Frame } from '../../src/core/video.ts'
import { encodeJpeg, resizeFrame } from '../../src/media/image.ts'
import { explainReplyIssue } from '../explain-issue.ts'
import { jsonIn } from './adapter/validate-reply.ts'
import { type nestedChat, openNestedChat } from './nested.ts'

// What a vision-language model is asked to list in each frame; its reply is JSON: {"<name>": [item, ...]}.
export interface FrameList<Item> {
  name: string
  item: z.ZodType<Item>
  properties: Record<string, unknown> // of an item, as JSON Schema
  system: string
  content(picture: ContentPart): ContentPart[]
}

export async function openVisionModel(
  chat: z.infer<typeof nestedChat>,
  host: Host,
  { backend, setting }: { backend: string; setting: string },
): Promise<ChatModel> {
  const model = await openNestedChat(chat, host)
  if (model.accepts.has('image')) return model
  await model.close?.()
  throw new UsageError(`${backend}: ${model.id} takes no pictures.`, { hint: `Name a vision model in ${setting}.` })
}

// The items in each frame, with the frame as the model saw it.
export async function listInFrames<Item>(
  model: ChatModel,
  frames: readonly Frame[],
  list: FrameList<Item>,
  { longestSide, atOnce }: { longestSide: number; atOnce: number },
  signal: AbortSignal,
): Promise<{ items: Item[]; seen: Frame }[]> {
  const { name, system, properties } = list
  const items = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  const schema = {
    type: 'object',
    properties: { [name]: { type: 'array', items } },
    required: [name],
    additionalProperties: false,
  }
  const shape = z.object({ [name]: z.array(list.item) })
  const look = async (frame: Frame, stop: AbortSignal) => {
    const seen = await shrink(frame, longestSide)
    const picture: ContentPart = { type: 'image', jpeg: await encodeJpeg(seen, 90), time: frame.time }
    const messages = [
      { role: 'system' as const, content: textContent(system) },
      { role: 'user' as const, content: list.content(picture) },
    ]
    const request = { purpose: 'look' as const, temperature: 0, schema: { name, schema }, messages }
    const reply = await jsonReply(model, request, shape, stop)
    return { items: reply[name] ?? [], seen }
  }
  const lists: { items: Item[]; seen: Frame }[] = []
  for await (const listed of inOrder(frames, atOnce, signal, look)) lists.push(listed)
  return lists
}

// No side longer than that many pixels.
export async function shrink(frame: Frame, maxSide: number): Promise<Frame> {
  const scale = maxSide / Math.max(frame.width, frame.height)
  if (scale >= 1) return frame
  return resizeFrame(frame, Math.max(1, Math.round(frame.width * scale)), Math.max(1, Math.round(frame.height * scale)))
}

// Asks for JSON and validates it, also for chat models that do not do so themselves (scripted ones).
async function jsonReply<T>(
  model: ChatModel,
  request: ChatRequest,
  shape: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const { text } = await model.reply(request, signal)
  const value = jsonIn(text)
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const what =
    value === undefined ? 'no JSON' : `JSON of another form (${explainReplyIssue(result.error, 'the reply')})`
  throw new BackendError(`${model.id} answered with ${what}: "${text.slice(0, 80)}".`, {
    retryable: true,
    cause: result.error,
    hint: 'Use a larger model, or a server that holds a reply to a JSON schema.',
  })
}
