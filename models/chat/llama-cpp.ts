import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import type { ChatMessage, ChatModel } from '../../src/core/chat.ts'
import { BackendError, errorText, InterruptedError } from '../../src/core/errors.ts'
import { Semaphore } from '../http/semaphore.ts'
import { ServerError } from '../http/server-error.ts'
import { type HubModel, hubModel, hubSettings, modelNeeds, modelSetting, openModelFolder } from '../hub/hub-model.ts'
import { type ClosedWhenIdle, closeWhenIdle } from '../onnx/close-when-idle.ts'
import { optionalPackage } from '../optional-package.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport, TransportReply, TransportRequest } from './adapter/chat-transport.ts'
import { grammarSchema, withoutNulls } from './llama-cpp/grammar-schema.ts'
import { chatDefaults, joinText, thinkingTokens, usualThinking } from './request.ts'

// The part of node-llama-cpp that is used here: the package itself, with its types, is there only where somebody has installed it.
interface LlamaPackage {
  getLlama(options: object): Promise<Llama>
  LlamaChat: new (options: { contextSequence: Sequence }) => Chat
}

interface Llama {
  gpu: false | 'cuda' | 'vulkan' | 'metal'
  loadModel(options: { modelPath: string }): Promise<Model>
  createGrammarForJsonSchema(schema: object): Promise<object>
  dispose(): Promise<void>
}

interface Model {
  tokenizer: unknown
  createContext(options: object): Promise<Context>
  dispose(): Promise<void>
}

interface Context {
  getSequence(): Sequence
  dispose(): Promise<void>
}

interface Sequence {
  tokenMeter: { usedOutputTokens: number }
}

interface Chat {
  chatWrapper: {
    generateContextState(options: { chatHistory: HistoryItem[] }): {
      contextText: { tokenize(tokenizer: unknown): unknown[] }
    }
  }
  generateResponse(history: HistoryItem[], options: object): Promise<Generated>
}

type HistoryItem = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] }

interface Generated {
  response: string
  fullResponse: (string | { segmentType?: string; text: string })[]
  metadata: { stopReason: string }
}

const llama = optionalPackage('node-llama-cpp')

// Short names for repositories of the hub.
const models = { 'qwen3-4b': 'Qwen/Qwen3-4B-GGUF' }
const { revision, folder } = hubSettings

const settings = z.strictObject({
  model: modelSetting(models, 'qwen3-4b'),
  file: z
    .string()
    .regex(/\.gguf$/, 'must be the name of a .gguf file')
    .default('Qwen3-4B-Q4_K_M.gguf')
    .describe('which of its files, a .gguf'),
  revision,
  folder,
  packageFolder: llama.setting,
  device: z.enum(['auto', 'cpu', 'cuda', 'vulkan', 'metal']).default('auto').describe('where it runs'),
  threads: z.number().int().min(0).default(0).describe('processor threads; 0: as many as it finds useful'),
  ...chatDefaults,
  thinkingTokens,
  contextTokens: z.number().int().positive().default(8192).describe('tokens of prompt and reply together, at most'),
})
type LlamaSettings = z.infer<typeof settings>

const modelFor = ({ model, file, revision, folder }: LlamaSettings): HubModel =>
  hubModel({ model, revision, folder, precision: 'fp32' }, models, { files: [file], parts: [] })

// A GGUF model in this process, by llama.cpp. What a reply must look like is held by a grammar, so that also a weak model's calls of
// tools can be read. Makes one reply at a time.
const llamaCpp: Backend<ChatModel, LlamaSettings> = {
  summary:
    'a GGUF model on this machine by llama.cpp, with replies held by a grammar; needs the package node-llama-cpp',
  version: '1',
  settings,
  needs: chosen => [llama.need(chosen.packageFolder), ...modelNeeds(modelFor(chosen))],
  thinkingTokens: thinkingRoom,
  async open(chosen, host) {
    const modelFolder = await openModelFolder(modelFor(chosen), host)
    const id = modelId(chosen)
    const model = closeWhenIdle(() => load(id, modelFolder.file(chosen.file), chosen, host))
    const turn = new Semaphore(1)
    const transport: ChatTransport = {
      id,
      accepts: new Set(['text'] as const),
      close: model.close,
      send: (request, signal, onText) => turn.run(signal, () => write(id, model, request, chosen, signal, onText)),
    }
    return chatOverTransport(transport, {
      toolMode: 'schema',
      schemaBy: 'both',
      defaults: chosen,
      thinkingTokens: thinkingRoom(chosen),
      say: line => host.say(line),
    })
  },
}

export default llamaCpp

function modelId({ folder, file, model }: LlamaSettings): string {
  return `chat/llama-cpp/${folder ? file : model}`
}

function thinkingRoom(chosen: LlamaSettings): number {
  return chosen.thinkingTokens ?? (/qwen3(?!.*instruct)|think|r1/i.test(modelId(chosen)) ? usualThinking : 0)
}

type Loaded = Awaited<ReturnType<typeof load>>

async function load(
  id: string,
  file: string,
  { packageFolder, device, threads, contextTokens }: LlamaSettings,
  host: Host,
) {
  const { getLlama, LlamaChat } = (await import(
    pathToFileURL(llama.path(packageFolder)).href
  )) as unknown as LlamaPackage
  try {
    const runtime = await getLlama({
      gpu: device === 'cpu' ? false : device,
      progressLogs: false,
      build: 'never', // a missing binary is an error, and nothing is downloaded or compiled
      skipDownload: true,
      logLevel: 'error',
      logger: () => {},
      ...(threads > 0 && { maxThreads: threads }),
    })
    const model = await runtime.loadModel({ modelPath: file })
    const context = await model.createContext({ contextSize: contextTokens, ...(threads > 0 && { threads }) })
    const sequence = context.getSequence()
    const ran = runtime.gpu === false ? 'cpu' : runtime.gpu
    host.ran?.({ model: id, device: ran, provider: `llama.cpp ${ran}` })
    return {
      runtime,
      model,
      sequence,
      chat: new LlamaChat({ contextSequence: sequence }),
      async close() {
        await context.dispose()
        await model.dispose()
        await runtime.dispose()
      },
    }
  } catch (cause) {
    throw new BackendError(`${id} could not be loaded from ${file}: ${errorText(cause)}.`, {
      hint: 'With less contextTokens, or device "cpu", it takes less memory of the card.',
      cause,
    })
  }
}

async function write(
  id: string,
  opened: ClosedWhenIdle<Loaded>,
  request: TransportRequest,
  { contextTokens }: LlamaSettings,
  signal: AbortSignal,
  onText?: (piece: string) => void,
): Promise<TransportReply> {
  return opened.use(async ({ runtime, model, sequence, chat }) => {
    signal.throwIfAborted()
    const history = toHistory(request.messages)
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history })
    const inputTokens = contextText.tokenize(model.tokenizer).length
    const room = contextTokens - inputTokens - 8
    if (room < 16)
      throw new ServerError(`${id} was given ${inputTokens} tokens and takes ${contextTokens}.`, {
        retry: 'no',
        reason: 'context-overflow',
        hint: 'Raise contextTokens if the model can take more.',
      })
    const schema = request.schema?.schema
    const before = sequence.tokenMeter.usedOutputTokens
    const { response, fullResponse, metadata } = await chat
      .generateResponse(history, {
        ...(schema && { grammar: await runtime.createGrammarForJsonSchema(grammarSchema(schema)) }),
        maxTokens: Math.min(request.maxTokens ?? 1024, room),
        temperature: request.temperature ?? 0,
        repeatPenalty: false, // it would keep a reply from closing what it opened
        ...(request.seed !== undefined && { seed: request.seed }),
        ...(request.think === false && { budgets: { thoughtTokens: 0 } }),
        signal,
        ...(onText && { onTextChunk: onText }),
      })
      .catch(cause => {
        if (signal.aborted) throw new InterruptedError(`${id} was stopped.`, { cause })
        throw new ServerError(`${id} failed: ${errorText(cause)}.`, { retry: 'once', cause })
      })
    const thinking = fullResponse.map(part =>
      typeof part === 'object' && part.segmentType === 'thought' ? part.text : '',
    )
    return {
      text: schema ? cleaned(response, schema) : response,
      ...(thinking.join('') !== '' && { thinking: thinking.join('') }),
      calls: [],
      stop: metadata.stopReason === 'maxTokens' ? 'length' : 'end',
      usage: { inputTokens, outputTokens: sequence.tokenMeter.usedOutputTokens - before },
      model: id,
    }
  })
}

// A reply that was cut is not JSON yet, and stays as it is.
function cleaned(text: string, schema: object): string {
  try {
    return JSON.stringify(withoutNulls(JSON.parse(text), schema))
  } catch {
    return text
  }
}

// A conversation as llama.cpp's templates take it: user and model in turns. The last turn is the model's, and empty.
function toHistory(messages: readonly ChatMessage[]): HistoryItem[] {
  const items: HistoryItem[] = []
  for (const { role, content } of messages) {
    const text = joinText(content)
    const last = items.at(-1)
    if (role === 'system') items.push({ type: 'system', text })
    else if (role === 'assistant') items.push({ type: 'model', response: [text] })
    else if (last?.type === 'user') last.text += `\n\n${text}`
    else items.push({ type: 'user', text })
  }
  return [...items, { type: 'model', response: [] }]
}
