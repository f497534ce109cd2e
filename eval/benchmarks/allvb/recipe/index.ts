import { z } from 'zod'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { indentedJson } from '../../../../src/core/json.ts'
import { shuffle } from '../../../data/deck.ts'
import { letterAt } from '../../../metrics/choice/options.ts'
import { usualChecks } from '../../../recipes/checks/index.ts'
import { eachItem } from '../../../recipes/checks/parts/verdicts.ts'
import { blind } from '../../../recipes/checks/without-pictures.ts'
import type { DraftItem, ItemCheck } from '../../../recipes/item.ts'
import { type MakeRecipe, type SetFile, type ToWrite, VideoSettings } from '../../../recipes/recipe.ts'
import { subtitleFiles } from '../../../recipes/subtitle-files.ts'
import { scriptPages } from '../../../recipes/texts.ts'
import { allvbTasks } from '../record.ts'
import { type AllvbSettings, detailsStage, filmStage, scenesStage } from './draft.ts'
import { countQuestion, questionsStage } from './questions.ts'
import { plotsStage } from './segmentation.ts'
import { isRisky, ownTemplates, readTemplates } from './templates.ts'

const settings = z.strictObject({
  minMinutes: z.number().min(0).default(0).describe('shorter videos are refused; films of the paper: 114 on average'),
  perVideo: z.number().int().min(1).max(200).default(20).describe('questions of a video by rules, at most'),
  segments: VideoSettings.shape.segments,
  templates: z.string().optional().describe('a JSON file with other texts for the 81 templates; ours where left out'),
})
type Settings = z.infer<typeof settings> & AllvbSettings

// Kinds in which script and film often differ, and, of the others, counts and the like: people see them first.
const riskyKinds = ['AR', 'ODT']
const risky: ItemCheck = {
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
    if (isByRules) return ['Rules write only SR, ED and VCap questions: there are not 21 + 14 n of them.']
    const without = records.filter(record => scriptPages(record).length === 0).length
    const page = 'a page is a minute of what was said, read and seen.'
    return without > 0 ? [`${without} of ${records.length} films have no script: ${page}`] : []
  },
  write,
}
export default allvb

function write({ items, records, videoFiles, canary }: ToWrite<Settings>): SetFile[] {
  const ids = records.map(({ video_id }) => video_id)
  const test = new Set(shuffle(ids, drawFor(0, canary)).slice(0, Math.round(ids.length / 10)))
  const rows = items.map(({ id, video, kind, question, options = [], right = 0, answer, extra }) => ({
    id,
    video,
    task: kind,
    sub_task: extra.sub_task,
    question,
    options,
    answer: `${letterAt(right)}. ${answer}`,
    reasoning: extra.reasoning,
    split: test.has(video) ? 'test' : 'train',
    subplot: extra.subplot ?? null,
    canary,
  }))
  return [
    { path: 'allvb.json', content: indentedJson(rows), annotations: true },
    ...subtitleFiles(records, videoFiles, 'videos'),
  ]
}
