import { z } from 'zod'
import type { CaptionSettings } from '../../src/core/settings.ts'
import type { ForecastGiven, Stage, StageCost, StageReader } from '../../src/core/stage.ts'
import type { MeasuredCost } from './captions/expected.ts'
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

// The densities that are compared; `mode` and `seconds` of the settings, the rest as it is set.
const densities: [name: string, Partial<CaptionSettings>][] = [
  ['shots', { mode: 'shots' }],
  ['10 s', { mode: 'seconds', seconds: 10 }],
  ['30 s', { mode: 'seconds', seconds: 30 }],
  ['60 s', { mode: 'seconds', seconds: 60 }],
]

// What captions of a video would take at each density. Once it is decoded the clips are known; before, only how many there can be.
async function captionCost(given: ForecastGiven): Promise<StageCost[]> {
  const { captions } = given.settings
  const { countedCost } = await import('./captions/counted-cost.ts')
  const measured = await readMeasured(given.earlier)
  const knownDensities = densities.map(([density, change]) => ({ density, captions: { ...captions, ...change } }))
  const isSet = (one: CaptionSettings) => one.mode === captions.mode && one.seconds === captions.seconds
  const asSet = captions.mode === 'off' || knownDensities.some(one => isSet(one.captions)) ? [] : [named(captions)]
  const costs: StageCost[] = []
  for (const density of [...knownDensities, ...asSet])
    costs.push({
      density: density.density,
      isSet: isSet(density.captions),
      ...(await countedCost({ ...given, settings: { ...given.settings, captions: density.captions } }, measured)),
    })
  return costs
}

function named(captions: CaptionSettings): { density: string; captions: CaptionSettings } {
  return { density: `${captions.mode === 'shots' ? 'shots, ' : ''}${captions.seconds} s`, captions }
}

const UsageFile = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  seconds: z.number(),
  expectedInput: z.number(),
  atOnce: z.number(),
})

async function readMeasured(earlier: readonly StageReader[]): Promise<MeasuredCost | undefined> {
  const files = await Promise.all(earlier.map(result => result.json('usage.json', UsageFile)))
  const sum = (value: (file: z.infer<typeof UsageFile>) => number) =>
    files.reduce((total, file) => total + value(file), 0)
  const [calls, expected, input] = [sum(one => one.calls), sum(one => one.expectedInput), sum(one => one.inputTokens)]
  if (calls === 0) return undefined
  return {
    inputFactor: expected > 0 && input > 0 ? input / expected : 1,
    outputTokens: sum(one => one.outputTokens) / calls,
    seconds: sum(one => one.seconds / one.atOnce) / calls,
  }
}
