import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import { type HubModel, type HubSettings, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches } from '../onnx/batches.ts'
import type { OnnxSettings } from '../onnx/device.ts'
import { lazySession } from '../onnx/lazy-session.ts'
import type { Feeds } from '../onnx/messages.ts'
import { PictureConfig } from '../pictures/picture-config.ts'
import { pictureTensor } from '../pictures/picture-tensor.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'
import { unitRows } from '../vectors/unit-rows.ts'

export const towerFiles = {
  files: ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'],
  parts: ['vision_model', 'text_model'],
}

export const towerSettings = {
  batch: z
    .number()
    .int()
    .positive()
    .default(16)
    .describe('pictures in one run; halved where they do not fit into memory'),
}

export interface TowerSettings extends HubSettings, OnnxSettings {
  batch: number
}

// How models of one kind differ: the names of their outputs, and how their texts are padded.
export interface TowerKind {
  outputs: string[] // the first that a file has is its vector
  longest: number // tokens of a text
  padding: 'longest' | 'max_length'
}

// Pictures through one model, words through the other, vectors of one space. The word model is opened when words come.
export async function openTwoTowers(
  kind: TowerKind,
  model: HubModel,
  settings: TowerSettings,
  host: Host,
): Promise<ImageEncoder> {
  const folder = await openModelFolder(model, host)
  const config = await folder.json('preprocessor_config.json', PictureConfig)
  const vision = lazySession(folder.file(onnxFile('vision_model', settings.precision)), settings, host)
  const words = lazySession(folder.file(onnxFile('text_model', settings.precision)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const batches = new Batches(settings.batch, line => host.say(line))
  const close = async () => {
    await Promise.all([vision.close(), words.close(), tokenizer.close()])
  }

  const images = (frames: Parameters<ImageEncoder['images']>[0], signal: AbortSignal) =>
    batches.map(frames, signal, async batch => {
      const pixel_values = await pictureTensor(batch, config, signal)
      return vectorsOf(await vision.run({ pixel_values }, signal), kind)
    })
  const text = async (queries: string[], signal: AbortSignal) => {
    if (queries.length === 0) return []
    const longest = Math.min((await tokenizer.maxTokens()) ?? kind.longest, kind.longest)
    const encoded = await tokenizer.encode(queries, { maxTokens: longest, padding: kind.padding }, signal)
    return vectorsOf(await words.run(inputs => tokenFeeds(encoded, inputs), signal), kind)
  }

  try {
    const black = { time: 0, width: 8, height: 8, rgb: new Uint8Array(8 * 8 * 3) }
    const [first] = await images([black], host.signal)
    return { dimensions: first.length, images, text, close }
  } catch (error) {
    await close()
    throw error
  }
}

function vectorsOf(outputs: Feeds, kind: TowerKind): Float32Array[] {
  const name = kind.outputs.find(output => outputs[output])
  if (!name)
    throw new UsageError(
      `The model gives ${Object.keys(outputs).join(', ')}, and none of ${kind.outputs.join(', ')}.`,
      {
        hint: 'It is a model of another kind; set embedImage.backend and embedImage.model to match.',
      },
    )
  const { data, dims } = outputs[name]
  if (!(data instanceof Float32Array)) throw new BackendError(`The model's ${name} must be 32-bit floats.`)
  return unitRows(data, dims[dims.length - 1])
}
