import { join } from 'node:path'
import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { type ChatMessage, type ChatModel, type ContentPart, contentText, type Modality } from '../../src/core/chat.ts'
import { absentAs } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { wavSamples } from '../../src/media/audio.ts'
import { decodeImage } from '../../src/media/image.ts'
import { ServerError } from '../http/server-error.ts'
import { hubSettings, ModelFolder, modelNeeds, modelSetting, openModelFolder, Precision } from '../hub/hub-model.ts'
import { isFile } from '../is-file.ts'
import { countThreads, onnxSettings } from '../onnx/device.ts'
import { firstOnDisk, gainsFromHalves } from '../onnx/resolve-auto.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport, TransportRequest } from './adapter/chat-transport.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import {
  chatModelParts,
  type OnnxChatKind,
  type RgbPicture,
  type TemplateMessage,
  type WrittenReply,
} from './onnx/messages.ts'
import { chatModelNames, type WantedChatModel, wantedChatModel } from './onnx/models.ts'
import { type ChatThread, sharedModel } from './onnx/shared-model.ts'
import { chatDefaults, functionTools, thinkingTokens, usualThinking } from './request.ts'

export const onnxChatSettings = z.strictObject({
  model: modelSetting(chatModelNames, 'qwen2.5-0.5b'),
  kind: z
    .enum(['auto', 'text', 'vision'])
    .default('auto')
    .describe(
      'text: one file; vision: the model also looks at pictures, and listens where it has an audio encoder; auto: as a short name says, text for any other',
    ),
  ...hubSettings,
  precision: z
    .union([Precision, z.partialRecord(z.enum(chatModelParts), Precision)])
    .optional()
    .describe(
      'which of its files, for all parts or for each by name; where nothing is said as a short name says, else fp32',
    ),
  ...onnxSettings,
  ...chatDefaults,
  thinkingTokens,
  toolMode: ToolMode.default('auto').describe('how tools are offered: native, schema, text, or auto'),
  contextTokens: z.number().int().positive().default(8192).describe('tokens of prompt and reply together, at most'),
})
type OnnxChatSettings = z.infer<typeof onnxChatSettings>

// A language model, one that sees, or one that sees and listens, through the transformers package: no server is asked.
// Makes one reply at a time; only the prompt asks for a schema.
const onnx: Backend<ChatModel, OnnxChatSettings> = {
  summary: 'a small chat model on this machine, without any server',
  version: '2',
  settings: onnxChatSettings,
  resolve: resolvePrecision,
  needs: chosen => modelNeeds(wantedChatModel(chosen)),
  thinkingTokens: ({ thinkingTokens = usualThinking }) => thinkingTokens,
  async open(chosen, host) {
    const hubModel = wantedChatModel(chosen)
    const folder = await openModelFolder(hubModel, host)
    const template = await templateFile(folder.path)
    const chatTemplate = template ?? (await tokenizerTemplate(folder))
    const id = `chat/onnx/${chosen.folder ? 'own' : chosen.model}`
    const { device, threads } = chosen
    const { kind, precision } = hubModel
    const model = sharedModel(
      id,
      hubModel.files.filter(file => file.endsWith('.onnx')).map(file => folder.file(file)),
      { folder: folder.path, model: kind, device, threads: countThreads(threads), precision, template },
      host,
    )
    const transport: ChatTransport = {
      id,
      accepts: await modalities(hubModel, folder),
      close: model.close,
      send: (asked, signal, onText) => model.use(open => write(open, id, kind, asked, chosen, signal, onText)),
    }
    return chatOverTransport(transport, {
      // A template that names no tools would drop them.
      toolMode: chosen.toolMode === 'auto' && !/\btools\b/.test(chatTemplate) ? 'schema' : chosen.toolMode,
      schemaBy: 'prompt',
      defaults: chosen,
      thinkingTokens: chosen.thinkingTokens ?? (/think/i.test(chatTemplate) ? usualThinking : 0),
      say: line => host.say(line),
    })
  },
}

export default onnx

// What the makers of a model name stays. Else 16 bits for a card; for the processor 8 bits of what writes, what sees stays whole.
async function resolvePrecision(chosen: OnnxChatSettings, host: Pick<Host, 'environment'>): Promise<OnnxChatSettings> {
  const { kind, precision } = wantedChatModel(chosen)
  if (chosen.precision !== undefined || Object.keys(precision).length > 0) return chosen
  const writes = kind === 'text' ? 'model' : 'decoder_model_merged'
  const suited = gainsFromHalves(chosen.device) ? ('fp16' as const) : { [writes]: 'q8' as const }
  const choices = [suited, 'fp32' as const].map(precision => ({ ...chosen, precision }))
  return firstOnDisk(choices, wantedChatModel, host)
}

async function modalities({ kind, audioEncoder }: WantedChatModel, folder: ModelFolder): Promise<Set<Modality>> {
  if (kind === 'text') return new Set(['text'])
  return new Set(['text', 'image', ...((await isFile(folder.file(audioEncoder))) ? (['audio'] as const) : [])])
}

async function tokenizerTemplate(folder: ModelFolder): Promise<string> {
  const { chat_template } = await folder.json('tokenizer_config.json', z.object({ chat_template: z.unknown() }))
  return JSON.stringify(chat_template ?? '')
}

async function write(
  thread: ChatThread,
  id: string,
  kind: OnnxChatKind,
  request: TransportRequest,
  { contextTokens }: OnnxChatSettings,
  signal: AbortSignal,
  onText?: (piece: string) => void,
) {
  signal.throwIfAborted()
  const tools = functionTools(request)
  const writing = {
    ...(await templateMessages(request.messages, kind)),
    ...(tools.length > 0 && { tools }),
    ...(request.think === false && { think: false as const }),
    temperature: request.temperature ?? 0,
    maxTokens: request.maxTokens ?? 1024,
    context: contextTokens,
    seed: request.seed,
  }
  const onPiece = onText && ((piece: unknown) => onText(String(piece)))
  const reply = (await thread.ask({ kind: 'write', writing }, signal, onPiece)) as WrittenReply
  if ('tooLong' in reply)
    throw new ServerError(`${id} was given ${reply.tooLong} tokens and takes ${contextTokens}.`, {
      retry: 'no',
      reason: 'context-overflow',
      hint: 'Raise contextTokens if the model can take more.',
    })
  if ('refused' in reply) throw new ServerError(`${id} ${reply.refused}.`, { retry: 'no' })
  const { text, stop, inputTokens, outputTokens } = reply
  return { text, calls: [], stop, usage: { inputTokens, outputTokens }, model: id }
}

const Legacy = z.object({ chat_template: z.string() })

// The chat template of a file of its own, which goes before the tokenizer's; newer models have no other.
export async function templateFile(folder: string): Promise<string | undefined> {
  const text = (name: string) => readBoundedText(join(folder, name), 64e6).catch(absentAs(undefined))
  const jinja = await text('chat_template.jinja')
  if (jinja !== undefined || (await text('chat_template.json')) === undefined) return jinja
  return (await new ModelFolder(folder).json('chat_template.json', Legacy)).chat_template
}

// A conversation in the form of chat templates, its pictures and its sounds in order.
export async function templateMessages(
  messages: readonly ChatMessage[],
  kind: OnnxChatKind,
): Promise<{ messages: TemplateMessage[]; pictures: RgbPicture[]; sounds: Float32Array[] }> {
  const parts = messages.flatMap(message => message.content)
  const pictures = await Promise.all(parts.flatMap(part => (part.type === 'image' ? [decodeImage(part.jpeg)] : [])))
  return {
    messages: messages.map(message => templateMessage(message, kind)),
    pictures: pictures.map(({ width, height, rgb }) => ({ width, height, rgb })),
    sounds: parts.flatMap(part => (part.type === 'audio' ? [wavSamples(part.wav)] : [])),
  }
}

function templateMessage(message: ChatMessage, kind: OnnxChatKind): TemplateMessage {
  if (message.role === 'tool') return { role: 'tool', name: message.name, content: contentText(message.content) }
  const content = kind === 'text' ? contentText(message.content) : toTemplateContent(message.content)
  if (message.role === 'assistant' && message.calls?.length)
    return {
      role: 'assistant',
      content,
      tool_calls: message.calls.map(call => ({
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }
  return { role: message.role, content }
}

// A list always: templates of models that see may skip a content that is a string (SmolVLM), and read only the first
// text of a system message (Gemma).
function toTemplateContent(content: readonly ContentPart[]): Exclude<TemplateMessage['content'], string> {
  const parts: Exclude<TemplateMessage['content'], string> = []
  for (const contentPart of content) {
    const last = parts.at(-1)
    if (contentPart.type !== 'text') parts.push({ type: contentPart.type })
    else if (last?.type === 'text') last.text += contentPart.text
    else parts.push({ type: 'text', text: contentPart.text })
  }
  return parts
}
