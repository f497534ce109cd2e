import type { Stage } from '../../src/core/stage.ts'
import { captionCost } from './captions/forecast.ts'
import { promptHash } from './captions/prompt.ts'

// What a model that sees says of each clip. Writes evidence.jsonl, clips.jsonl (each clip with its call, or why it has no caption) and
// usage.json.
const captions: Stage<'vision'> = {
  name: 'captions',
  version: 1,
  role: 'vision',
  rows: true,
  after: ['decode', 'text', 'speech', 'speakers'],
  partial: true,
  mayFail: true,
  wanted: ({ settings }) => settings.captions.mode !== 'off',
  skip: ({ video }) => !video.picture && 'the video has no picture',
  settings: ({ settings, chosenStills }) => ({
    captions: settings.captions,
    prompt: promptHash,
    stills: chosenStills,
  }),
  forecast: given => captionCost(given),
  async make(context) {
    const { makeCaptions } = await import('./captions/make-captions.ts')
    await makeCaptions(context)
  },
}
export default captions
