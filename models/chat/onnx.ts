import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import type { ChatModel, Modality } from '../../src/core/chat.ts'
import { ServerError } from '../http/server-error.ts'
import { hubModel, hubSettings, type ModelFolder, modelNeeds, modelSetting, openModelFolder } from '../hub/hub-model.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import { onnxSettings, type Provider, threadsOf } from '../onnx/device.ts'
import type { Opened } from '../onnx/messages.ts'
import { openOnDevice, reportDevice } from '../onnx/report-device.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { Thread } from '../onnx/thread.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport, TransportRequest } from './adapter/chat-transport.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import type { OnnxChatJob, OnnxChatKind, WrittenReply } from './onnx/messages.ts'
import { templateMessages } from './onnx/template-messages.ts'
import { chatDefaults, functionTools, thinkingTokens, usualThinking } from './request.ts'

// Short names for repositories of the hub.
const models = {
  'qwen2.5-0.5b': 'onnx-community/Qwen2.5-0.5B-Instruct',
  'qwen3-0.6b': 'onnx-community/Qwen3-0.6B-ONNX',
  'smolvlm-256m': 'HuggingFaceTB/SmolVLM-256M-Instruct',
  'smolvlm-500m': 'HuggingFaceTB/SmolVLM-500M-Instruct',
}

export const settings = z.strictObject({
  model: modelSetting(models, 'qwen2.5-0.5b'),
  kind: z.enum(['text', 'vision']).default('text').describe('vision: the model also looks at pictures'),
  ...hubSettings,
  ...onnxSettings,
  ...chatDefaults,
  thinkingTokens,
  toolMode: ToolMode.default('auto').describe('how tools are offered: native, schema, text, or auto'),
  contextTokens: z.number().int().positive().default(8192).describe('tokens of prompt and reply together, at most'),
})
type OnnxChatSettings = z.infer<typeof settings>

const files = ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json']
const parts: Record<OnnxChatKind, { files: string[]; parts: string[] }> = {
  text: { files, parts: ['model'] },
  vision: {
    files: [...files, 'preprocessor_config.json', 'processor_config.json'],
    parts: ['vision_encoder', 'embed_tokens', 'decoder_model_merged'],
  },
}
const wanted = (chosen: OnnxChatSettings) => hubModel(chosen, models, parts[chosen.kind])

// A language or vision model through the transformers package, for machines without any server. Makes one reply at a
// time; only the prompt asks for a schema.
const onnx: Backend<ChatModel, OnnxChatSettings> = {
  summary: 'a small chat model on this machine, without any server',
  version: '1',
  settings,
  // A picture tower stays in fp32 on the processor; of language models alone 8 bits are as good there.
  resolve: (chosen, host) =>
    resolveAuto(chosen, host, { wanted, onProcessor: chosen.kind === 'text' ? { precision: 'q8' } : {} }),
  needs: chosen => modelNeeds(wanted(chosen)),
  async open(chosen, host) {
    const folder = await openModelFolder(wanted(chosen), host)
    const id = `chat/onnx/${chosen.folder ? 'own' : chosen.model}`
    const thread = closeWhenIdle(() => openThread(id, folder.path, chosen, host))
    let turn: Promise<unknown> = Promise.resolve()
    const transport: ChatTransport = {
      id,
      accepts: new Set<Modality>(chosen.kind === 'vision' ? ['text', 'image'] : ['text']),
      close: thread.close,
      send: (asked, signal, onText) => {
        const reply = turn.then(() => thread.use(open => write(open, id, asked, chosen, signal, onText)))
        turn = reply.catch(() => {})
        return reply
      },
    }
    return chatOverTransport(transport, {
      toolMode: chosen.toolMode,
      schemaBy: 'prompt',
      defaults: chosen,
      thinkingTokens: chosen.thinkingTokens ?? ((await mayThink(folder)) ? usualThinking : 0),
      say: line => host.say(line),
    })
  },
}

export default onnx

// Chat templates of models that think name the marks of thinking.
async function mayThink(folder: ModelFolder): Promise<boolean> {
  const { chat_template } = await folder.json('tokenizer_config.json', z.object({ chat_template: z.unknown() }))
  return /think/i.test(JSON.stringify(chat_template ?? ''))
}

async function write(
  thread: Thread<OnnxChatJob>,
  id: string,
  request: TransportRequest,
  { contextTokens }: OnnxChatSettings,
  signal: AbortSignal,
  onText?: (piece: string) => void,
) {
  signal.throwIfAborted()
  const tools = functionTools(request)
  const writing = {
    ...(await templateMessages(request.messages)),
    ...(tools.length > 0 && { tools }),
    ...(request.think === false && { think: false as const }),
    temperature: request.temperature ?? 0,
    maxTokens: request.maxTokens ?? 1024,
    context: contextTokens,
    seed: request.seed,
  }
  const told = onText && ((piece: unknown) => onText(String(piece)))
  const reply = (await thread.ask({ kind: 'write', writing }, signal, told)) as WrittenReply
  if ('tooLong' in reply)
    throw new ServerError(`${id} was given ${reply.tooLong} tokens and takes ${contextTokens}.`, {
      retry: 'no',
      reason: 'context-overflow',
      hint: 'Raise contextTokens if the model can take more.',
    })
  const { text, stop, inputTokens, outputTokens } = reply
  return { text, calls: [], stop, usage: { inputTokens, outputTokens }, model: id }
}

async function openThread(
  id: string,
  folder: string,
  settings: OnnxChatSettings,
  host: Host,
): Promise<Thread<OnnxChatJob>> {
  const { kind, device } = settings
  const precision = settings.precision === 'auto' ? 'fp32' : settings.precision
  const thread = new Thread<OnnxChatJob>('./onnx/chat-worker', import.meta.url, id)
  const open = (providers: Provider[]): OnnxChatJob => ({
    kind: 'open',
    folder,
    model: kind,
    providers,
    threads: threadsOf(settings.threads),
    precision,
  })
  reportDevice(id, settings, await openOnDevice<OnnxChatJob, Opened>(thread, id, device, open, host), host)
  return thread
}
