import { z } from 'zod'
import { draftChecks } from '../../../recipes/checks/index.ts'
import { rubric } from '../../../recipes/checks/rubric.ts'
import { spread } from '../../../recipes/checks/spread.ts'
import { blind } from '../../../recipes/checks/without-pictures.ts'
import { describingStages } from '../../../recipes/describe.ts'
import { countOption, type MakeRecipe, minutesOption, VideoSettings } from '../../../recipes/recipe.ts'
import { answers, writeConversations } from './answer.ts'
import { questions, scenarios, types } from './ask.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import { dialogues } from './dialogues.ts'
import { expectedCallsCheck } from './expected-calls.ts'
import { levels } from './levels.ts'
import { write } from './released.ts'

const settings = z.strictObject({
  minMinutes: minutesOption(1, 'shorter videos are refused; the release begins at one minute'),
  scenarios: countOption(1, 5, 3, 'at most, of a video; the paper has 3 in its prompt and 5 in its text'),
  tasks: z
    .enum(['official', 'all', 'agentic'])
    .default('official')
    .describe('those that the official tables count, all 28, or dialogues over the sixteen tools'),
  dialogues: countOption(1, 16, 4, 'at most, of a video, each about another tool; with tasks=agentic'),
  segments: VideoSettings.shape.segments,
  fields: z
    .enum(['whole', 'as released'])
    .default('whole')
    .describe('title, length and categories of a sample; the release loses them'),
  prompts: z
    .string()
    .optional()
    .describe(
      "a folder with one's own prompts, each called as its stage: heard.txt, events.txt, questions.txt, rubric.txt",
    ),
})
type Settings = z.infer<typeof settings>

const longshot: MakeRecipe<Settings> = {
  name: 'longshot',
  version: '5',
  settings,
  telling: describingStages,
  paperModels: {
    author: 'Qwen3-30B-A3B-2507',
    look: 'Qwen2.5-VL-32B',
    listen: 'Whisper-large-v3, Audio-Flamingo-3',
    blind: 'none: the paper has no such filter',
  },
  videoFolder: 'videos',
  mp4Alone: true,
  stages: [scenarios, types, questions, dialogues, answers, writeConversations],
  checks: [
    ...draftChecks({
      evidence: { thresholds: { rows: 0, maxIntervals: 10 } },
      options: 'left out',
      oneRight: 'left out',
    }),
    ...[rubric, expectedCallsCheck, blind, spread, levels].map(check => ({ check })),
  ],
  rules: {
    names: {
      kind: [...Object.keys(catalogue.tasks), 'speech_transcription', catalogue.agenticTask],
      question_types: Object.keys(catalogue.types),
      modalities: catalogue.modalities,
      conversation_role: catalogue.roles,
    },
    criteria: catalogue.criteria,
    penalties: catalogue.penalties,
    together: 'conversation',
  },
  write,
}
export default longshot
