import { z } from 'zod'
import { groupBy } from '../../../../src/core/basics/group-by.ts'
import { jsonLines } from '../../../../src/core/json.ts'
import { letterAt, withoutLetter } from '../../../metrics/choice/options.ts'
import { clue } from '../../../recipes/checks/clue.ts'
import { glance } from '../../../recipes/checks/glance.ts'
import { heldOut } from '../../../recipes/checks/held-out.ts'
import { draftChecks } from '../../../recipes/checks/index.ts'
import { eachItem } from '../../../recipes/checks/parts/verdicts.ts'
import { privateData } from '../../../recipes/checks/private.ts'
import { shallow } from '../../../recipes/checks/shallow.ts'
import { draftStage } from '../../../recipes/choices/draft.ts'
import { type DraftItem, draftItemId, type ItemCheck } from '../../../recipes/item.ts'
import {
  type AdoptedSet,
  countOption,
  type MakeRecipe,
  minutesOption,
  type RecipeCheck,
  type SetFile,
  type ToWrite,
  VideoSettings,
} from '../../../recipes/recipe.ts'
import type { Form } from '../../../recipes/rules/candidates.ts'
import { answerable, answerableByWords, duration, shortOptions, videoThere } from './filters.ts'
import { learnedTypes, ourTypes } from './question-types.ts'

const settings = z.strictObject({
  minMinutes: minutesOption(10, 'shorter videos of --from are refused, and questions on shorter ones left out'),
  perVideo: countOption(0, 60, 0, 'questions drafted of a video; 0: 6 at 10 minutes to 15 at 80'),
  types: z
    .string()
    .optional()
    .describe(
      'the official Parquet file, from which the types of adopted questions are learned; left out, a map of ours',
    ),
  segments: VideoSettings.shape.segments,
  prompts: z.string().optional().describe("a folder with one's own prompt: question.txt"),
})
type Settings = z.infer<typeof settings>

// Those whose answers are short and name no time.
const forms: Form[] = ['value', 'after', 'title of', 'spoken value', 'before', 'how many']

// What the official file calls a type in several ways.
const doubts: ItemCheck = {
  k: 0,
  name: 'types',
  run: items => eachItem(items, () => undefined),
  warnings: items => [
    ...new Set(items.flatMap(({ extra }) => (extra.doubt === undefined ? [] : [`Types: ${extra.doubt}.`]))),
  ],
}

const videoEvalPro: MakeRecipe<Settings> = {
  name: 'videoeval-pro',
  version: '5',
  settings,
  paperModels: { author: 'questions of four benchmarks', check: 'Gemini-2.0-Flash', glance: 'Gemini-2.0-Flash' },
  videoFolder: 'videos_filtered',
  stages: [draftStage<Settings>(forms)],
  adopt,
  // The filters of the paper in its order; before the paid one, what a draft of ours is held to.
  checks: [
    ...[duration, shortOptions, answerableByWords].map(check => ({ check })),
    ...[...draftChecks({ heldOut: 'left out', privateData: 'left out' }), { check: clue }].map(
      (one): RecipeCheck => ({ ...one, ofOwn: true }),
    ),
    ...[heldOut, privateData, videoThere, answerable].map(check => ({ check })),
    { check: glance, thresholds: { frames: 1, open: 1 } },
    ...[shallow, doubts].map(check => ({ check })),
  ],
  thresholds: ({ minMinutes }) => ({ duration: { seconds: 60 * minMinutes } }),
  rules: {},
  write,
}
export default videoEvalPro

async function adopt({ benchmark, samples }: AdoptedSet, { types }: Settings): Promise<DraftItem[]> {
  const typeOf = types === undefined ? ourTypes : await learnedTypes(types)
  return [...groupBy(samples, ({ video }) => video).values()].flatMap(own =>
    own.map((sample, at): DraftItem => {
      const texts = sample.options.map(withoutLetter)
      return {
        id: draftItemId(sample.video, at),
        video: sample.video,
        kind: sample.kind,
        question: sample.question,
        answer: texts[sample.right] ?? '',
        options: texts,
        right: sample.right,
        clues: [],
        rows: [],
        extra: { adopted: sample.id, source: benchmark, ...typeOf(benchmark, sample) },
      }
    }),
  )
}

// The nine fields of the released file; the canary goes beside them.
function write({ items, records, videoFiles, canary }: ToWrite<Settings>): SetFile[] {
  const names = new Map(records.map(({ video_id, video }) => [video_id, videoFiles.get(video_id) ?? video]))
  const lines = items.map(({ id, video, question, answer, options: texts = [], right = 0, kind, extra }) => {
    const questionType = ourTypes('', { kind: String(extra.level3 ?? kind), source: { kind } })
    return {
      video: names.get(video),
      question,
      options: texts.map((text, at) => `${letterAt(at)}. ${text}`),
      answer: letterAt(right),
      answer_text: withoutArticle(answer),
      meta: JSON.stringify({ id: extra.adopted ?? id, type: kind }),
      source: extra.source ?? 'own videos',
      qa_subtype: extra.qa_subtype ?? questionType.qa_subtype,
      qa_type: extra.qa_type ?? questionType.qa_type,
      canary,
    }
  })
  return [{ path: 'data/test.jsonl', content: jsonLines(lines), annotations: true }]
}

function withoutArticle(text: string): string {
  return text.replace(/^\s*(?:an?|the)\s+(?=\S)/i, '').trim()
}
