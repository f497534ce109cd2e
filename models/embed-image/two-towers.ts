import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import { type HubModel, type HubSettings, hubModel, modelNeeds, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches, type BatchSize, batchSetting } from '../onnx/batches.ts'
import { type OnnxSettings, onnxModelSettings } from '../onnx/device.ts'
import type { Feeds } from '../onnx/messages.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { lazySession } from '../onnx/session.ts'
import { stackPictures } from '../pictures/picture-tensor.ts'
import { PictureConfig } from '../prepare/picture-config.ts'
import { prepare } from '../prepare/prepare.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'
import { unitRows } from '../vectors/unit-rows.ts'

const towerFiles = {
  files: ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'],
  parts: ['vision_model', 'text_model'],
}

const TokenizerClass = z.looseObject({ tokenizer_class: z.string().nullish() })

// SigLIP 2 was trained on lower case, and its tokenizer keeps capitals. Its files name the plain tokenizer of Gemma.
const lowerCased = /^(Gemma|Siglip2)Tokenizer(Fast)?$/

export interface TowerSettings extends HubSettings, Omit<OnnxSettings, 'precision'> {
  batch: BatchSize
}

const bestBatch = { cpu: 16, card: 64 }

// How models of one kind differ.
interface TowerKind {
  summary: string
  models: Record<string, string> // short names for repositories of the hub
  standard: string // one of them
  outputs: string[] // the first that a file has is its vector
  maxTokens: number // of a text
  padding: 'longest' | 'max_length'
}

// Pictures through one model, words through the other, vectors of one space.
export function twoTowers(kind: TowerKind): Backend<ImageEncoder, TowerSettings> {
  const modelFor = (settings: TowerSettings) => hubModel(settings, kind.models, towerFiles)
  return {
    summary: kind.summary,
    version: '1',
    settings: z.strictObject({
      ...onnxModelSettings(kind.models, kind.standard),
      batch: batchSetting(bestBatch, 'pictures in one run'),
    }),
    // On the processor too the picture tower stays in fp32: 8 bits change what it sees.
    resolve: (settings, host) => resolveAuto(settings, host, { wanted: modelFor }),
    needs: settings => modelNeeds(modelFor(settings)),
    open: (settings, host) => openTowers(kind, modelFor(settings), settings, host),
  }
}

// The word model is opened when words come.
async function openTowers(
  kind: TowerKind,
  model: HubModel,
  settings: TowerSettings,
  host: Host,
): Promise<ImageEncoder> {
  const folder = await openModelFolder(model, host)
  const config = await folder.json('preprocessor_config.json', PictureConfig)
  const { tokenizer_class } = await folder.json('tokenizer_config.json', TokenizerClass)
  const vision = lazySession(folder.file(onnxFile('vision_model', settings.precision)), settings, host)
  const words = lazySession(folder.file(onnxFile('text_model', settings.precision)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const batches = new Batches(settings.batch, bestBatch, line => host.say(line), vision)
  const close = async () => {
    await Promise.all([vision.close(), words.close(), tokenizer.close()])
  }

  const images = (frames: Parameters<ImageEncoder['images']>[0], signal: AbortSignal) =>
    batches.feed(
      frames,
      signal,
      frame => prepare('picture', [frame, config], signal),
      async batch => readVectors(await vision.run({ pixel_values: stackPictures(batch) }, signal), kind),
    )
  const text = async (queries: string[], signal: AbortSignal) => {
    if (queries.length === 0) return []
    const maxTokens = Math.min((await tokenizer.maxTokens()) ?? kind.maxTokens, kind.maxTokens)
    const written = lowerCased.test(tokenizer_class ?? '') ? queries.map(query => query.toLowerCase()) : queries
    const encoded = await tokenizer.encode(written, { maxTokens, padding: kind.padding }, signal)
    return readVectors(await words.run(inputs => tokenFeeds(encoded, inputs), signal), kind)
  }

  try {
    const black = { time: 0, width: 8, height: 8, rgb: new Uint8Array(8 * 8 * 3) }
    const [first] = await images([black], host.signal)
    return {
      dimensions: first?.length ?? 0,
      get atOnce() {
        return batches.size
      },
      images,
      text,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function readVectors(outputs: Feeds, { outputs: names }: TowerKind): Float32Array[] {
  const name = names.find(output => outputs[output])
  const tensor = outputs[name ?? '']
  if (!tensor)
    throw new UsageError(`The model gives ${Object.keys(outputs).join(', ')}, and none of ${names.join(', ')}.`, {
      hint: 'It is a model of another kind; set embedImage.backend and embedImage.model to match.',
    })
  if (!(tensor.data instanceof Float32Array)) throw new BackendError(`The model's ${name} must be 32-bit floats.`)
  return unitRows(tensor.data, tensor.dims.at(-1) ?? 0)
}
