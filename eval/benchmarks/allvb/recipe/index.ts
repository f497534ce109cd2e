import { z } from 'zod'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffled } from '../../../data/deck.ts'
import { blind } from '../../../make/checks/blind.ts'
import { eachItem } from '../../../make/checks/parts/verdicts.ts'
import { usualChecks } from '../../../make/checks/usual.ts'
import type { Check, DraftItem } from '../../../make/item.ts'
import type { MakeRecipe, SetFile, ToWrite } from '../../../make/recipe.ts'
import { subtitleFiles } from '../../../make/set/subtitle-files.ts'
import { scriptPages } from '../../../make/source/texts.ts'
import { letterAt } from '../../../metrics/choice/options.ts'
import { allvbTasks } from '../record.ts'
import { detailsStage, filmStage, plotsStage, scenesStage } from './draft.ts'
import { countQuestion, type QuestionSettings, questionsStage } from './questions.ts'
import { isRisky, ownTemplates, readTemplates } from './templates.ts'

const settings = z.strictObject({
  minMinutes: z
    .number()
    .min(0)
    .default(0)
    .describe('shorter videos are refused; the films of the paper last 114 minutes on average'),
  perVideo: z
    .number()
    .int()
    .min(1)
    .max(200)
    .default(20)
    .describe('questions of a video where rules write them, at most'),
  segments: z.enum(['covering', 'as released']).default('covering').describe('of the source record, at its ends'),
  templates: z.string().optional().describe('a JSON file with other texts for the 81 templates; ours where left out'),
})
type Settings = z.infer<typeof settings> & QuestionSettings

// Kinds in which script and film often differ, and, of the others, counts and the like: people see them first.
const riskyKinds = ['AR', 'ODT']
const risky: Check = {
  k: 0,
  name: 'risky',
  run: items =>
    eachItem(items, ({ kind, extra: { sub_task } }) =>
      !riskyKinds.includes(kind) && isRisky({ task: kind, sub_task: String(sub_task) })
        ? { outcome: 'flag', detail: `${kind}, ${sub_task}: script and film often differ here` }
        : undefined,
    ),
}

const isOfScenes = ({ kind }: DraftItem) => kind !== 'VC' && kind !== 'NH'
const isWritten = ({ kind }: DraftItem) => kind !== 'NH'

const allvb: MakeRecipe<Settings> = {
  name: 'allvb',
  version: '4',
  settings,
  prepare: async given =>
    given.templates === undefined ? given : { ...given, texts: await readTemplates(given.templates) },
  promptsOf: ({ templates, texts = ownTemplates }) => ({
    [templates === undefined ? 'templates' : 'templates of a file']: {
      text: JSON.stringify(texts),
      own: templates !== undefined,
    },
  }),
  paperModels: { author: 'GPT-4o', look: 'GPT-4o' },
  minutes: ({ minMinutes }) => minMinutes,
  videoFolder: 'videos',
  stages: [plotsStage, filmStage, scenesStage, detailsStage, questionsStage],
  checks: usualChecks([{ check: risky }, { check: blind }], {
    form: { thresholds: { words: 90 } },
    grounded: { holds: isOfScenes },
    evidence: { thresholds: { minIntervals: 0, maxIntervals: 60 }, holds: isWritten },
    options: { thresholds: { min: 5, max: 5 } },
    oneRight: { holds: isWritten },
  }),
  rules: { names: { kind: allvbTasks }, lookFirst: riskyKinds, wordings: [countQuestion] },
  gaps(records, isByRules) {
    const without = records.filter(record => scriptPages(record).length === 0).length
    return [
      ...(isByRules ? ['Rules write SR, ED and VCap questions alone: there are not 21 + 14 n of them.'] : []),
      ...(without > 0 && !isByRules
        ? [`${without} of ${records.length} films have no script: a page is a minute of what was said, read and seen.`]
        : []),
    ]
  },
  write,
}
export default allvb

function write({ items, records, videoFiles, canary }: ToWrite<Settings>): SetFile[] {
  const films = shuffled(
    records.map(({ video_id }) => video_id),
    drawFor(0, canary),
  )
  const test = new Set(films.slice(0, Math.round(films.length / 10)))
  const rows = items.map(item => recordOf(item, test.has(item.video) ? 'test' : 'train', canary))
  return [
    { path: 'allvb.json', content: `${JSON.stringify(rows, null, 1)}\n`, annotations: true },
    ...subtitleFiles(records, videoFiles, 'videos'),
  ]
}

function recordOf(item: DraftItem, split: string, canary: string) {
  const { id, video, kind, question, options = [], right = 0, answer, extra } = item
  const { sub_task, reasoning, subplot } = extra
  return {
    ...{ id, video, task: kind, sub_task, question, options, answer: `${letterAt(right)}. ${answer}` },
    ...{ reasoning, split, subplot: subplot ?? null, canary },
  }
}
