import { z } from 'zod'
import { blind } from '../../../make/checks/blind.ts'
import { duplicates } from '../../../make/checks/duplicates.ts'
import { evidence } from '../../../make/checks/evidence.ts'
import { form } from '../../../make/checks/form.ts'
import { grounded } from '../../../make/checks/grounded.ts'
import { heldOut } from '../../../make/checks/held-out.ts'
import { leak } from '../../../make/checks/leak.ts'
import { privateData } from '../../../make/checks/private.ts'
import { rubric } from '../../../make/checks/rubric.ts'
import { spread } from '../../../make/checks/spread.ts'
import type { Check } from '../../../make/item.ts'
import type { MakeRecipe, SetFile, ToWrite } from '../../../make/recipe.ts'
import { answers, written } from './answer.ts'
import { questions, scenarios, types } from './ask.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import { analysisOf, cleanSample, finalSamples } from './finalize.ts'

const settings = z.strictObject({
  minMinutes: z.number().min(0).default(1).describe('shorter videos are refused; the release begins at one minute'),
  scenarios: z
    .number()
    .int()
    .min(1)
    .max(5)
    .default(3)
    .describe('at most, of a video; the paper has 3 in its prompt and 5 in its text'),
  tasks: z.enum(['official', 'all']).default('official').describe('those that the official tables count, or all 28'),
  segments: z.enum(['covering', 'as released']).default('covering').describe('of the source record, at its ends'),
  fields: z
    .enum(['whole', 'as released'])
    .default('whole')
    .describe('title, length and categories of a sample; the release loses them'),
  prompts: z
    .string()
    .optional()
    .describe("a folder with one's own prompts: scenarios.txt, types.txt, questions.txt, answers.txt, rubric.txt"),
})
type Settings = z.infer<typeof settings>

// What was wished of the levels and what came of it; nothing is thrown away for the mix.
const levels: Check = {
  k: 0,
  name: 'levels',
  run: async items => items.map(({ id }) => ({ item: id, outcome: 'pass' })),
  warnings(items) {
    const share = (from: number, to: number) => {
      const found = items.filter(({ extra }) => Number(extra.difficulty) >= from && Number(extra.difficulty) <= to)
      return items.length > 0 ? Math.round((100 * found.length) / items.length) : 0
    }
    const said = `1-2 ${share(1, 2)} %, 3 ${share(3, 3)} %, 4 ${share(4, 4)} %, 5 ${share(5, 5)} %`
    const isAsWanted =
      share(1, 2) <= 15 &&
      [3, 4, 5].every(level => share(level, level) >= 100 * (catalogue.least[String(level) as '3'] ?? 0))
    return isAsWanted ? [] : [`Levels of difficulty: ${said}; wanted 1-2 15 % at most, 3 25-30, 4 35-40, 5 25-30.`]
  },
}

const longshot: MakeRecipe<Settings> = {
  name: 'longshot',
  version: '4',
  settings,
  describes: true,
  paperModels: {
    author: 'Qwen3-30B-A3B-2507',
    look: 'Qwen2.5-VL-32B',
    listen: 'Whisper-large-v3, Audio-Flamingo-3',
    blind: 'none: the paper has no such filter',
  },
  minutes: ({ minMinutes }) => minMinutes,
  videoFolder: 'videos',
  mp4Alone: true,
  stages: [scenarios, types, questions, answers, written],
  checks: [
    ...[form, grounded].map(check => ({ check })),
    { check: evidence, thresholds: { rows: 0, maxIntervals: 10 } },
    ...[duplicates, leak, heldOut, privateData, rubric, blind, spread, levels].map(check => ({ check })),
  ],
  rules: {
    names: {
      kind: [...Object.keys(catalogue.tasks), 'speech_transcription'],
      ...{ question_types: Object.keys(catalogue.types), modalities: catalogue.modalities },
      conversation_role: catalogue.roles,
    },
    ...{ criteria: catalogue.criteria, penalties: catalogue.penalties, together: 'conversation' },
  },
  write,
}
export default longshot

function write({ items, records, settings: { fields }, canary }: ToWrite<Settings>): SetFile[] {
  const samples = finalSamples(items, { records, fields })
  const lines = (all: readonly object[]) => all.map(one => `${JSON.stringify({ ...one, canary })}\n`).join('')
  return [
    { path: 'final_dataset.jsonl', content: lines(samples), annotations: true },
    { path: 'clean_dataset.jsonl', content: lines(samples.map(cleanSample)) },
    { path: 'dataset_analysis.json', content: `${JSON.stringify({ ...analysisOf(samples), canary }, null, 1)}\n` },
  ]
}
