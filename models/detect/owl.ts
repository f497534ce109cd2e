import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { clamp } from '../../src/core/basics/numbers.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Detection, Detector } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { hubModel, modelNeeds, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches } from '../onnx/batches.ts'
import { onnxModelSettings } from '../onnx/device.ts'
import type { Feeds } from '../onnx/messages.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { lazySession } from '../onnx/session.ts'
import { pictureTensor } from '../pictures/picture-tensor.ts'
import { PictureConfig } from '../prepare/picture-config.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'
import { suppressDuplicates } from './nms.ts'

// Short names for repositories of the hub.
const models = {
  owlvit: 'Xenova/owlvit-base-patch32',
  owlv2: 'Xenova/owlv2-base-patch16-ensemble',
}

const Settings = z.strictObject({
  ...onnxModelSettings(models, 'owlvit'),
  threshold: z.number().min(0).max(1).default(0.1).describe('the score from which a thing counts as found'),
  template: z.string().includes('{}').default('a photo of a {}').describe('the words that a label is put into'),
  most: z.number().int().positive().default(20).describe('things of one label in one frame, at most'),
})
type Settings = z.infer<typeof Settings>

const files = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']
const modelFor = (settings: Settings) => hubModel(settings, models, { files, parts: ['model'] })

// Zero-shot detection: finds things by any name, without having been trained on it.
const owl: Backend<Detector, Settings> = {
  summary: 'finds things by any name in a frame, by OWL-ViT or OWLv2',
  version: '1',
  // OWLv2 is shown its pictures in another way than before.
  versionFor: ({ model, folder }) => (model === 'owlvit' && !folder ? '1' : '2'),
  settings: Settings,
  resolve: (settings, host) => resolveAuto(settings, host, { wanted: modelFor }),
  needs: settings => modelNeeds(modelFor(settings)),
  open: openDetector,
}

export default owl

const maxLabelTokens = 16

async function openDetector(settings: Settings, host: Host): Promise<Detector> {
  const folder = await openModelFolder(modelFor(settings), host)
  const config = await folder.json('preprocessor_config.json', PictureConfig)
  const session = lazySession(folder.file(onnxFile('model', settings.precision)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const frameByFrame = new Batches(1, { cpu: 1, card: 1 }, line => host.say(line), session)
  return {
    async detect(frames, labels, signal) {
      signal.throwIfAborted()
      if (frames.length === 0 || labels.length === 0) return frames.map(() => [])
      const texts = labels.map(label => settings.template.replace('{}', label))
      const encoded = await tokenizer.encode(texts, { maxTokens: maxLabelTokens, padding: 'max_length' }, signal)
      return frameByFrame.feed(
        frames,
        signal,
        async frame => ({ frame, pixel_values: await pictureTensor([frame], config, signal) }),
        batch =>
          Promise.all(
            batch.map(async ({ frame, pixel_values }) => {
              const outputs = await session.run(inputs => ({ ...tokenFeeds(encoded, inputs), pixel_values }), signal)
              return thingsIn(outputs, frame, labels, config.do_pad, settings)
            }),
          ),
      )
    },
    async close() {
      await Promise.all([session.close(), tokenizer.close()])
    },
  }
}

// The model gives a box and a score for each label at each patch of the picture.
function thingsIn(
  { logits, pred_boxes }: Feeds,
  frame: Frame,
  labels: readonly string[],
  square: boolean,
  { threshold, most }: Settings,
): Detection[] {
  if (!(logits?.data instanceof Float32Array && pred_boxes?.data instanceof Float32Array))
    throw new UsageError('The model gives no "logits" and "pred_boxes".', {
      hint: 'It is not an OWL model; set detect.model to one.',
    })
  const edge = Math.max(frame.width, frame.height)
  const scale = square ? { x: edge / frame.width, y: edge / frame.height } : { x: 1, y: 1 }
  const detections: Detection[] = []
  for (let patch = 0; patch < logits.dims[1]!; patch++) {
    const scores = logits.data.subarray(patch * labels.length, (patch + 1) * labels.length)
    const best = scores.reduce((max, score, i) => (score > scores[max]! ? i : max), 0)
    const confidence = 1 / (1 + Math.exp(-scores[best]!))
    const label = labels[best]
    if (label === undefined || confidence < threshold) continue
    const [x = 0, y = 0, width = 0, height = 0] = pred_boxes.data.subarray(patch * 4, patch * 4 + 4)
    const [left, right] = [clamp((x - width / 2) * scale.x, 0, 1), clamp((x + width / 2) * scale.x, 0, 1)]
    const [top, bottom] = [clamp((y - height / 2) * scale.y, 0, 1), clamp((y + height / 2) * scale.y, 0, 1)]
    const box = { x: left, y: top, width: right - left, height: bottom - top }
    if (box.width > 0 && box.height > 0) detections.push({ label, confidence, box })
  }
  return labels.flatMap(label => suppressDuplicates(detections.filter(thing => thing.label === label)).slice(0, most))
}
