import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { TextEncoder } from '../../src/core/services.ts'
import {
  hubModel,
  hubSettings,
  type ModelFolder,
  modelNeeds,
  modelSetting,
  onnxFile,
  openModelFolder,
} from '../hub/hub-model.ts'
import { isFile } from '../is-file.ts'
import { Batches, batchSetting, oneForEach } from '../onnx/batches.ts'
import { onnxSettings } from '../onnx/device.ts'
import type { Feeds } from '../onnx/messages.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { lazySession } from '../onnx/session.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'
import { unitRows } from '../vectors/unit-rows.ts'

// How token vectors become one vector: their mean, the first token's, or the last token's.
const Pooling = z.enum(['mean', 'cls', 'last'])
type Pooling = z.infer<typeof Pooling>

export function poolHidden(
  hidden: { data: Float32Array; dims: number[] },
  mask: BigInt64Array,
  pooling: Pooling,
): Float32Array {
  const [rows = 0, width = 0, size = 0] = hidden.dims
  const vectors = new Float32Array(rows * size)
  for (let row = 0; row < rows; row++) {
    const real = Array.from({ length: width }, (_, i) => i).filter(i => mask[row * width + i] === 1n)
    const used = pooling === 'mean' ? real : [real.at(pooling === 'cls' ? 0 : -1) ?? 0]
    for (const token of used) {
      const from = (row * width + token) * size
      for (let i = 0; i < size; i++) vectors[row * size + i]! += hidden.data[from + i]! / used.length
    }
  }
  return vectors
}

const PoolingFile = z.looseObject({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(false),
  pooling_mode_lasttoken: z.boolean().default(false),
})
const PromptFile = z.looseObject({ prompts: z.record(z.string(), z.string()).default({}) })
const LengthFile = z.looseObject({ max_seq_length: z.number().int().positive().optional() })

interface EncodingDefaults {
  pooling?: Pooling
  queryPrefix?: string
  passagePrefix?: string
  maxTokens?: number
}

// Reads from the files of a sentence model, where present, how it is used. The hub's copies often lack them.
async function readEncodingDefaults(folder: ModelFolder): Promise<EncodingDefaults> {
  const read = async <Value>(name: string, shape: z.ZodType<Value>) =>
    (await isFile(folder.file(name))) ? folder.json(name, shape) : undefined
  const how = await read('1_Pooling/config.json', PoolingFile)
  const prompts = (await read('config_sentence_transformers.json', PromptFile))?.prompts
  const { max_seq_length } = (await read('sentence_bert_config.json', LengthFile)) ?? {}
  return {
    ...(how?.pooling_mode_mean_tokens && { pooling: 'mean' }),
    ...(how?.pooling_mode_cls_token && { pooling: 'cls' }),
    ...(how?.pooling_mode_lasttoken && { pooling: 'last' }),
    ...(prompts?.query && { queryPrefix: prompts.query }),
    ...((prompts?.document ?? prompts?.passage) && { passagePrefix: prompts?.document ?? prompts?.passage }),
    ...(max_seq_length && { maxTokens: max_seq_length }),
  }
}

// Short names with encoding defaults, which the hub's copies omit.
const shortNames: Record<string, EncodingDefaults & { repository: string }> = {
  minilm: { repository: 'Xenova/all-MiniLM-L6-v2', pooling: 'mean', maxTokens: 256 },
  'bge-small': {
    repository: 'Xenova/bge-small-en-v1.5',
    pooling: 'cls',
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
  },
  'e5-small': {
    repository: 'Xenova/multilingual-e5-small',
    pooling: 'mean',
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
  },
  embeddinggemma: {
    repository: 'onnx-community/embeddinggemma-300m-ONNX',
    queryPrefix: 'task: search result | query: ',
    passagePrefix: 'title: none | text: ',
  },
}

const standard = 'minilm'

const bestBatch = { cpu: 32, card: 128 }

const Settings = z.strictObject({
  model: modelSetting(shortNames, standard),
  ...hubSettings,
  ...onnxSettings,
  pooling: Pooling.optional().describe('how tokens become one vector; without it, as the model says'),
  queryPrefix: z.string().optional().describe('put before each query; without it, as the model says'),
  passagePrefix: z.string().optional().describe('put before each line; without it, as the model says'),
  dimensions: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('keep only so many numbers of a vector, for models made so'),
  batch: batchSetting(bestBatch, 'texts in one run'),
})
type Settings = z.infer<typeof Settings>

const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
const names = Object.fromEntries(Object.entries(shortNames).map(([name, { repository }]) => [name, repository]))
const optional = ['1_Pooling/config.json', 'config_sentence_transformers.json', 'sentence_bert_config.json']
const modelFor = (settings: Settings) =>
  hubModel(settings, names, { files, parts: ['model'], optional: isNamed(settings) ? undefined : optional })

// The files of a folder may be of any model, whatever its name.
function isNamed({ model, folder }: Settings): boolean {
  return !folder && Object.hasOwn(shortNames, model)
}

const onnx: Backend<TextEncoder, Settings> = {
  summary: 'a sentence encoder on this machine: MiniLM, BGE, E5, EmbeddingGemma',
  version: '1',
  versionFor: settings => (!isNamed(settings) ? '3' : settings.model === 'e5-small' ? '2' : '1'),
  settings: Settings,
  resolve: (settings, host) => resolveAuto(settings, host, { wanted: modelFor }),
  needs: settings => modelNeeds(modelFor(settings)),
  open: openEncoder,
}

export default onnx

async function openEncoder(settings: Settings, host: Host): Promise<TextEncoder> {
  const folder = await openModelFolder(modelFor(settings), host)
  const session = lazySession(folder.file(onnxFile('model', settings.precision)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const batches = new Batches(settings.batch, bestBatch, line => host.say(line), session)
  const read = await readEncodingDefaults(folder)
  // A name that nobody gave says nothing of the model in a folder.
  const named = settings.folder && settings.model === standard ? {} : shortNames[settings.model]
  const defaults = {
    ...(isNamed(settings) ? { ...read, ...named } : { ...named, ...read }),
    ...encodingSettings(settings),
  }
  let assumed = false
  const close = async () => {
    await Promise.all([session.close(), tokenizer.close()])
  }

  const run = async (texts: string[], signal: AbortSignal) => {
    const maxTokens = Math.min(defaults.maxTokens ?? 512, (await tokenizer.maxTokens()) ?? 512)
    const encoded = await tokenizer.encode(texts, { maxTokens }, signal)
    const outputs = await session.run(inputs => tokenFeeds(encoded, inputs), signal)
    const whole = settings.pooling ? undefined : outputs.sentence_embedding
    if (!whole && !defaults.pooling && !assumed) host.say(poolingAssumed(settings))
    assumed = true
    const vectors = whole
      ? unitRows(numbers(whole.data), whole.dims.at(-1) ?? 0)
      : poolTokens(outputs, encoded.mask, defaults.pooling ?? 'mean')
    return shortened(vectors, settings.dimensions)
  }
  // Texts of similar length share a batch, to reduce padding.
  const encode = async (texts: readonly string[], prefix: string | undefined, signal: AbortSignal) => {
    const order = texts.map((text, at) => ({ text: `${prefix ?? ''}${text}`, at }))
    order.sort((a, b) => a.text.length - b.text.length)
    const sorted = await batches.map(order, signal, batch =>
      run(
        batch.map(({ text }) => text),
        signal,
      ),
    )
    const vectors = new Map(order.map(({ at }, i) => [at, sorted[i]]))
    return texts.flatMap((_, at) => vectors.get(at) ?? [])
  }

  try {
    const [first] = oneForEach(['a'], await run(['a'], host.signal))
    return {
      dimensions: first?.length ?? 0, // always there: one vector for the one text
      passages: (texts, signal) => encode(texts, defaults.passagePrefix, signal),
      queries: (texts, signal) => encode(texts, defaults.queryPrefix, signal),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

// The setting is named and not the pull of a file: it is part of the key of vectors that were made before.
function poolingAssumed({ folder, model }: Settings): string {
  return `${folder ?? model} does not say how its tokens become one vector: their mean is assumed. Set models.embedText.pooling to mean, cls or last.`
}

function encodingSettings({ pooling, queryPrefix, passagePrefix }: Settings): EncodingDefaults {
  return {
    ...(pooling && { pooling }),
    ...(queryPrefix !== undefined && { queryPrefix }),
    ...(passagePrefix !== undefined && { passagePrefix }),
  }
}

// For models that do not pool by themselves.
function poolTokens(outputs: Feeds, mask: BigInt64Array, pooling: Pooling): Float32Array[] {
  const hidden = outputs.last_hidden_state ?? outputs.token_embeddings
  if (!hidden)
    throw new UsageError(`The model gives ${Object.keys(outputs).join(', ')}, and no vectors of tokens or sentences.`, {
      hint: 'It is not a sentence encoder; set embedText.model to one.',
    })
  return unitRows(poolHidden({ data: numbers(hidden.data), dims: hidden.dims }, mask, pooling), hidden.dims.at(-1) ?? 0)
}

function numbers(data: unknown): Float32Array {
  if (data instanceof Float32Array) return data
  throw new BackendError('The model gives no 32-bit numbers.')
}

function shortened(vectors: Float32Array[], dimensions: number | undefined): Float32Array[] {
  if (!dimensions) return vectors
  return vectors.flatMap(vector => unitRows(vector.subarray(0, dimensions), Math.min(dimensions, vector.length)))
}
