import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Listener } from '../../src/core/services.ts'
import { hubModel, modelNeeds, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches } from '../onnx/batches.ts'
import { onnxModelSettings } from '../onnx/device.ts'
import type { Feeds } from '../onnx/messages.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { lazySession } from '../onnx/session.ts'
import { stack } from '../onnx/tensors.ts'
import { prepare } from '../prepare/prepare.ts'
import { ClapSound, clapSize } from '../sound/clap-features.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'
import { unitRows } from '../vectors/unit-rows.ts'
import { taggedSounds, taggerBatch, tagSettings, windowSetting } from './tagged-sounds.ts'

// Short names for repositories of the hub.
const models = {
  'htsat-unfused': 'Xenova/clap-htsat-unfused',
  'larger-general': 'Xenova/larger_clap_general',
}

// Sounds that questions about videos ask for, in the words that captions use; one theme a line.
const soundNames = `
  music, singing, a guitar, a piano, drums, a violin
  laughter, applause, a crowd cheering, booing
  a baby crying, a person crying, a person screaming, coughing, sneezing, snoring, whistling
  footsteps, clapping hands
  a dog barking, a cat meowing, birds singing, a rooster crowing, a cow mooing, insects buzzing, a horse trotting
  rain, thunder, wind, ocean waves, running water, fire crackling
  a car engine, a car horn, a train, an aeroplane, a helicopter, a motorcycle, a boat engine
  a siren, an alarm, a bell ringing, a telephone ringing, a clock ticking, a beep
  a door closing, a door bell, knocking on a door, glass breaking
  a hammer, a saw, a drill, a vacuum cleaner, typing on a keyboard, a camera shutter
  dishes clattering, frying food
  a gunshot, an explosion, fireworks, a thud, a splash, static hiss
`
  .trim()
  .split(/,\s+|\n\s*/)

const Settings = z.strictObject({
  ...onnxModelSettings(models, 'htsat-unfused'),
  ...tagSettings,
  windowSeconds: windowSetting(4, 'half of it is the step'),
  labels: z.array(z.string().min(1)).min(2).default(soundNames).describe('the sounds that are told apart'),
  others: z
    .array(z.string().min(1))
    .default(['speech', 'silence', 'background noise'])
    .describe('what a window may hold besides; compared with the labels and never told of'),
  template: z
    .string()
    .includes('{}')
    .default('This is a sound of {}.')
    .describe('the sentence that a label is put into'),
  sharpness: z.number().positive().default(14.3).describe('how much a small difference in likeness counts'),
})
type Settings = z.infer<typeof Settings>

const files = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']
const modelFor = (settings: Settings) => hubModel(settings, models, { files, parts: ['audio_model', 'text_model'] })

// Sounds and sentences in one space: any sound can be asked for by name. It is compared with all the names at once.
const clap: Backend<Listener, Settings> = {
  summary: 'names sounds out of a list of your own, by CLAP',
  version: '1',
  settings: Settings,
  resolve: (settings, host) => resolveAuto(settings, host, { wanted: modelFor }),
  needs: settings => modelNeeds(modelFor(settings)),
  open: openListener,
}

export default clap

async function openListener(settings: Settings, host: Host): Promise<Listener> {
  const folder = await openModelFolder(modelFor(settings), host)
  const config = await folder.json('preprocessor_config.json', ClapSound)
  const audioEncoder = lazySession(folder.file(onnxFile('audio_model', settings.precision)), settings, host)
  const textEncoder = lazySession(folder.file(onnxFile('text_model', settings.precision)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const batches = new Batches(settings.batch, taggerBatch, line => host.say(line), audioEncoder)
  let names: Promise<Float32Array[]> | undefined

  const readNames = async (signal: AbortSignal) => {
    const texts = [...settings.labels, ...settings.others].map(label => settings.template.replace('{}', label))
    const encoded = await tokenizer.encode(texts, { maxTokens: (await tokenizer.maxTokens()) ?? 77 }, signal)
    const outputs = await textEncoder.run(inputs => tokenFeeds(encoded, inputs), signal)
    return readVectors(outputs, 'text_embeds')
  }
  const listen = async (features: Float32Array[], signal: AbortSignal) => {
    const { frames, mels } = clapSize(config)
    const input_features = stack(features, [1, frames, mels])
    const is_longer = { type: 'bool' as const, data: new Uint8Array(features.length), dims: [features.length, 1] }
    const feeds = (inputs: string[]) => ({ input_features, ...(inputs.includes('is_longer') && { is_longer }) })
    return readVectors(await audioEncoder.run(feeds, signal), 'audio_embeds')
  }
  const scores = async (windows: Float32Array[], signal: AbortSignal) => {
    names ??= readNames(signal).catch(error => {
      names = undefined
      throw error
    })
    const nameVectors = await names
    const heard = await batches.feed(
      windows,
      signal,
      window => prepare('clap', [window, config], signal),
      part => listen(part, signal),
    )
    return heard.map(vector => shares(vector, nameVectors, settings.sharpness).slice(0, settings.labels.length))
  }
  return {
    hear: ({ audio, span }, signal) =>
      taggedSounds({
        ...settings,
        audio,
        span,
        signal,
        stepSeconds: settings.windowSeconds / 2,
        atOnce: () => batches.size,
        scores: windows => scores(windows, signal),
      }),
    async close() {
      await Promise.all([audioEncoder.close(), textEncoder.close(), tokenizer.close()])
    },
  }
}

function readVectors(outputs: Feeds, name: string): Float32Array[] {
  const output = outputs[name] ?? outputs.pooler_output
  if (output?.data instanceof Float32Array) return unitRows(output.data, output.dims.at(-1) ?? 0)
  throw new UsageError(`The model gives ${Object.keys(outputs).join(', ')}, and no ${name}.`, {
    hint: 'It is not a CLAP model; set hear.model to one.',
  })
}

// How much of a sound goes to each name, all together one.
function shares(vector: Float32Array, names: readonly Float32Array[], sharpness: number): number[] {
  const likeness = names.map(name => name.reduce((sum, value, i) => sum + value * vector[i]!, 0) * sharpness)
  const best = Math.max(...likeness)
  const weights = likeness.map(value => Math.exp(value - best))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map(weight => weight / total)
}
