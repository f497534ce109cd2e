import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import { hubModel, hubSettings, modelNeeds } from '../hub/hub-model.ts'
import { onnxSettings } from '../onnx/device.ts'
import { openTwoTowers, towerFiles, towerSettings } from './two-towers.ts'

// Short names for repositories of the hub.
const models = {
  'base-patch32': 'Xenova/clip-vit-base-patch32',
  'base-patch16': 'Xenova/clip-vit-base-patch16',
  'large-patch14': 'Xenova/clip-vit-large-patch14',
}

const Settings = z.strictObject({
  model: z
    .string()
    .min(1)
    .default('base-patch32')
    .describe(`${Object.keys(models).join(', ')}, or a repository of the hub`),
  ...hubSettings,
  ...onnxSettings,
  ...towerSettings,
})
type Settings = z.infer<typeof Settings>

const wanted = (settings: Settings) => hubModel(settings, models, towerFiles)

const clip: Backend<ImageEncoder, Settings> = {
  summary: 'pictures and words in one space by CLIP',
  version: '1',
  settings: Settings,
  needs: settings => modelNeeds(wanted(settings)),
  open: (settings, host) =>
    openTwoTowers(
      { outputs: ['image_embeds', 'text_embeds'], longest: 77, padding: 'longest' },
      wanted(settings),
      settings,
      host,
    ),
}

export default clip
