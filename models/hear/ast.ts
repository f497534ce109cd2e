import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import type { Listener } from '../../src/core/services.ts'
import { hubModel, modelNeeds, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches } from '../onnx/batches.ts'
import { onnxModelSettings } from '../onnx/device.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { lazySession } from '../onnx/session.ts'
import { stack } from '../onnx/tensors.ts'
import { prepare } from '../prepare/prepare.ts'
import { KaldiSound } from '../sound/kaldi-features.ts'
import { taggedSounds, taggerBatch, tagSettings, windowSetting } from './tagged-sounds.ts'

// Short names for repositories of the hub.
const models = { audioset: 'Xenova/ast-finetuned-audioset-10-10-0.4593' }

// What AudioSet names and nobody asks the sounds of a video for: speech has a track of its own, and rooms make no sound.
const usuallyLeftOut = [
  'Speech',
  'Male speech, man speaking',
  'Female speech, woman speaking',
  'Child speech, kid speaking',
  'Conversation',
  'Narration, monologue',
  'Silence',
  'Inside, small room',
  'Inside, large room or hall',
  'Inside, public space',
  'Outside, urban or manmade',
  'Outside, rural or natural',
]

const Settings = z.strictObject({
  ...onnxModelSettings(models, 'audioset'),
  ...tagSettings,
  windowSeconds: windowSetting(10.24, 'half of its whole seconds is the step; the model was trained on 10.24'),
  without: z.array(z.string()).default(usuallyLeftOut).describe('names that are not told of'),
})
type Settings = z.infer<typeof Settings>

const files = ['config.json', 'preprocessor_config.json']
const modelFor = (settings: Settings) => hubModel(settings, models, { files, parts: ['model'] })

// An audio spectrogram transformer: more than five hundred names of sounds, several at a time.
const ast: Backend<Listener, Settings> = {
  summary: 'names sounds with the five hundred names of AudioSet',
  version: '2',
  settings: Settings,
  resolve: (settings, host) => resolveAuto(settings, host, { wanted: modelFor }),
  needs: settings => modelNeeds(modelFor(settings)),
  open: openTagger,
}

export default ast

const Names = z.looseObject({ id2label: z.record(z.string(), z.string()) })

async function openTagger(settings: Settings, host: Host): Promise<Listener> {
  const folder = await openModelFolder(modelFor(settings), host)
  const config = await folder.json('preprocessor_config.json', KaldiSound)
  const { id2label } = await folder.json('config.json', Names)
  const all = Object.entries(id2label).sort(([a], [b]) => Number(a) - Number(b))
  const reported = [...all.entries()].filter(([, [, name]]) => !settings.without.includes(name))
  const session = lazySession(folder.file(onnxFile('model', settings.precision)), settings, host)
  const batches = new Batches(settings.batch, taggerBatch, line => host.say(line), session)

  const run = async (features: Float32Array[], signal: AbortSignal) => {
    const input_values = stack(features, [config.max_length, config.num_mel_bins])
    const { logits } = await session.run({ input_values }, signal)
    if (!(logits?.data instanceof Float32Array))
      throw new UsageError('The model gives no "logits".', {
        hint: 'It is not a sound tagger; set hear.model to one.',
      })
    const values = logits.data
    if (values.length !== features.length * all.length)
      throw new BackendError(`The model gives ${values.length / features.length} scores for ${all.length} names.`)
    return features.map((_, i) => reported.map(([row]) => 1 / (1 + Math.exp(-values[i * all.length + row]!))))
  }
  return {
    hear: ({ audio, span }, signal) =>
      taggedSounds({
        threshold: settings.threshold,
        windowSeconds: settings.windowSeconds,
        stepSeconds: Math.floor(settings.windowSeconds) / 2,
        audio,
        span,
        signal,
        labels: reported.map(([, [, name]]) => name),
        atOnce: () => batches.size,
        scores: windows =>
          batches.feed(
            windows,
            signal,
            window => prepare('kaldi', [window, config], signal),
            part => run(part, signal),
          ),
      }),
    close: session.close,
  }
}
