import { z } from 'zod'
import { indentedJson } from '../../../../src/core/json.ts'
import { mergeSpans } from '../../../../src/core/time.ts'
import { letterAt } from '../../../metrics/choice/options.ts'
import { clue } from '../../../recipes/checks/clue.ts'
import { glance } from '../../../recipes/checks/glance.ts'
import { usualChecks } from '../../../recipes/checks/index.ts'
import { blind } from '../../../recipes/checks/without-pictures.ts'
import { draftStage, negatives } from '../../../recipes/choices/draft.ts'
import types from '../../../recipes/choices/types.json' with { type: 'json' }
import { type DraftItem, toSpans } from '../../../recipes/item.ts'
import {
  countOption,
  type MakeRecipe,
  minutesOption,
  type SetClips,
  type SetFile,
  type ToWrite,
  VideoSettings,
} from '../../../recipes/recipe.ts'
import type { Form } from '../../../recipes/rules/candidates.ts'
import { subtitleFiles } from '../../../recipes/subtitle-files.ts'

const settings = z.strictObject({
  minMinutes: minutesOption(10, 'shorter videos are refused; the paper begins at 10 minutes'),
  perVideo: countOption(0, 60, 0, 'questions of a video; 0: 6 at 10 minutes to 15 at 80'),
  segments: VideoSettings.shape.segments,
  mini: z.number().min(0).max(1).default(0).describe('the share of questions that cgbench_mini.json repeats'),
  clips: z
    .boolean()
    .default(false)
    .describe('cut the clues of each question out of its video: cg_clue_videos/<qid>.mp4'),
  prompts: z.string().optional().describe("a folder with one's own prompt: question.txt"),
})
type Settings = z.infer<typeof settings>

const forms: Form[] = [
  ...(['value', 'after', 'when', 'said while shown', 'title of', 'order', 'how long', 'shown while said'] as const),
  ...(['before', 'how far apart', 'how many', 'order said'] as const),
]

const videoFolder = 'cg_videos_720p'

const cgBench: MakeRecipe<Settings> = {
  name: 'cg-bench',
  version: '6',
  settings,
  paperModels: { author: 'people', blind: 'GPT-4, Qwen2.5', glance: 'InternVL2-2B, InternVL2-4B' },
  videoFolder,
  mp4Alone: true,
  stages: [draftStage<Settings>(forms)],
  checks: usualChecks([{ check: blind }, { check: glance, thresholds: { frames: 8 } }, { check: clue }], {
    options: { thresholds: { min: 1 + negatives.min, max: 1 + negatives.max } },
  }),
  rules: { names: { kind: [...new Set(types.map(({ level2 }) => level2))] }, timed: ['Time Perception'] },
  people: {
    negatives,
    types: types.map(({ level2, level3, asks, ...more }) => ({
      name: level3,
      kind: level2,
      asks,
      extra: { level3 },
      ...('computed' in more && { computed: true }),
    })),
  },
  write,
  clips,
}
export default cgBench

function write({ items, records, videoFiles, settings: { mini }, canary }: ToWrite<Settings>): SetFile[] {
  const durations = new Map(records.map(({ video_id, statistics: { duration } }) => [video_id, duration]))
  const rows = items.map((item, at) => toRecord(item, at, durations.get(item.video) ?? 0, canary))
  const every = mini > 0 ? 1 / mini : Number.POSITIVE_INFINITY
  const few = rows.filter((_, at) => Math.floor((at + 1) / every) > Math.floor(at / every))
  const meta = records.map(({ video_id, statistics: { duration, fps, frames } }) => [
    video_id,
    { duration, fps, max_frame: Math.max(0, frames - 1) },
  ])
  return [
    { path: 'cgbench.json', content: indentedJson(rows), annotations: true },
    ...(mini > 0 ? [{ path: 'cgbench_mini.json', content: indentedJson(few) }] : []),
    { path: 'video_meta_info.json', content: indentedJson(Object.fromEntries(meta)) },
    ...subtitleFiles(records, videoFiles, 'cg_subtitles'),
  ]
}

// As they are released: the intervals of a question one after another, under its number.
function clips({ items, videoFiles, settings }: ToWrite<Settings>): SetClips | undefined {
  if (!settings.clips) return undefined
  const cut = items.map(({ video, clues }, at) => ({
    name: `${at + 1}.mp4`,
    video: `${videoFolder}/${videoFiles.get(video) ?? video}`,
    spans: mergeSpans(toSpans(clues), 0),
  }))
  return { folder: 'cg_clue_videos', clips: cut }
}

// The ten fields of the released files; the canary goes beside them.
function toRecord(item: DraftItem, at: number, duration: number, canary: string) {
  const { options = [], right = 0 } = item
  return {
    qid: at + 1,
    video_uid: item.video,
    question: item.question,
    answer: item.answer,
    choices: options,
    right_answer: letterAt(right),
    clue_intervals: item.clues,
    domain: 'Made from own videos',
    sub_category: item.kind,
    duration: Math.round(duration),
    canary,
  }
}
