import { z } from 'zod'
import { indentedJson } from '../../../../src/core/json.ts'
import { usualChecks } from '../../../recipes/checks/index.ts'
import { metadata, subtitles } from '../../../recipes/checks/without-pictures.ts'
import { type DraftItem, draftItemId, type SourceRecord, sightRoles } from '../../../recipes/item.ts'
import type { Before, MakeRecipe, MakeStage, MakeStageInput, SetFile, ToWrite } from '../../../recipes/recipe.ts'
import { outputsOf, VideoSettings } from '../../../recipes/recipe.ts'
import { subtitleFiles } from '../../../recipes/subtitle-files.ts'
import { skills } from '../record.ts'
import { followUps } from './follow-ups.ts'
import { type ListEntry, most, outfitStage, writeLists } from './lists.ts'
import { joinItems } from './orders.ts'
import phrasings from './phrasings.json' with { type: 'json' }
import { appearance, type ItemDraft, mostChronological, writeQuestions } from './questions.ts'

const settings = z.strictObject({
  minMinutes: z.number().min(0).default(0).describe('shorter videos are refused'),
  options: z.literal([5, 6]).default(6).describe('with "I don\'t know": 6 as the scripts make, 5 as the paper shows'),
  alike: z.number().min(-1).max(1).default(0.6).describe('crops more alike than this count as one; paper: 0.6, DINOv2'),
  segments: VideoSettings.shape.segments,
})
type Settings = z.infer<typeof settings>

const questionStage: MakeStage<Settings> = {
  name: 'questions',
  version: '1',
  prompts: {},
  units: (record, given) =>
    writeDrafts(record, given).map((input, at) => ({ unit: draftItemId(record.video_id, at, 3), input })),
  calls: () => 0,
  make: async ({ unit, input }, { record: { video_id } }) => ({
    output: { id: unit, video: video_id, ...(input as ItemDraft) },
  }),
}

function writeDrafts(record: SourceRecord, { before, others = [], author, settings, seed }: MakeStageInput<Settings>) {
  const listsOf = (one: Before) => outputsOf<ListEntry>(Object.values(one).flat())
  if (before) return writeQuestions(record, listsOf(before), settings.options, seed, others.flatMap(listsOf))
  const titleCount = record.texts?.filter(({ id }) => id.startsWith('about.')).length ?? 0
  const written = 'model' in author ? 2 * most.open + most.people : 0
  return Array<null>(mostChronological + 1 + written + (record.sightings?.people.length ?? 0) + titleCount).fill(null)
}

const isTold = ({ kind }: DraftItem) => kind !== appearance

const infiniBench: MakeRecipe<Settings> = {
  name: 'infinibench',
  version: '5',
  settings,
  paperModels: {
    author: 'GPT-4o',
    look: 'GPT-4o',
    blind: 'GPT-4o, Gemini 2, Qwen2.5-VL',
    detect: 'YOLO',
    faces: 'InsightFace',
    embedImage: 'DINOv2',
  },
  videoFolder: 'videos',
  stages: [writeLists, outfitStage, questionStage],
  sightings: ({ alike }) => ({ every: 2, likeness: 0.2, alike, gap: 5 }),
  // Outfits stand in no row: models that see named them, and people say whether they are right.
  checks: usualChecks(
    [metadata, subtitles].map(check => ({ check, thresholds: { k: 1 } })),
    {
      form: { thresholds: { words: 120 } },
      grounded: { holds: isTold },
      evidence: { thresholds: { rows: 0, minIntervals: 0, maxIntervals: 1000 } },
      options: { thresholds: { max: 6 } },
      oneRight: { holds: isTold },
    },
  ),
  rules: { names: { kind: skills }, wordings: Object.values(phrasings).flat() },
  gaps: (records, isByRules) => [
    ...unseen(records),
    ...(isByRules ? ['Actions, deep context and linked events need a model: rules ask only for orders.'] : []),
  ],
  byTimes: (timed, { options }, seed) => followUps(timed, options, seed),
  write,
}
export default infiniBench

// Where a role is off, the card says so among what was not run.
function unseen(records: readonly SourceRecord[]): string[] {
  const looked = records.filter(({ sightings }) => sightRoles.every(role => sightings?.by[role] !== 'off'))
  const without = looked.filter(({ sightings }) => !sightings?.people.length).length
  const people = looked.flatMap(({ sightings }) => sightings?.people ?? [])
  const boxless = people.filter(({ looks }) => looks.length === 0).length
  const why = 'they have no X.about.json with pictures of people, or none of these was seen.'
  const faceAlone = 'models.detect found nobody around the face.'
  return [
    ...(without > 0 ? [`Nothing is asked of appearance on ${without} of ${records.length} videos: ${why}`] : []),
    ...(boxless > 0 ? [`Nothing is asked of what ${boxless} of ${people.length} people wear: ${faceAlone}`] : []),
  ]
}

function write({ items, records, videoFiles, canary }: ToWrite<Settings>): SetFile[] {
  const usedSkills = skills.filter(skill => items.some(({ kind }) => kind === skill))
  // A set without a question has one, empty, file.
  const files = (usedSkills.length > 0 ? usedSkills : skills.slice(0, 1)).map((skill): SetFile => {
    const skillItems = items.filter(({ kind }) => kind === skill)
    const rows = skillItems.map(item => toRecord(item, videoFiles.get(item.video) ?? item.video, canary))
    return { path: `made/skills_json/${skill}.json`, content: indentedJson(rows), annotations: true }
  })
  return [...files, ...subtitleFiles(records, videoFiles, 'subtitles')]
}

// The fields of the released files; the canary goes beside them.
function toRecord(item: DraftItem, file: string, canary: string) {
  const { id, video, kind, question, answer, options, right, clues, extra } = item
  const lists = (extra.lists ?? []) as string[][]
  const listOf = (option: string) => lists.find(list => list.length > 1 && joinItems(list) === option) ?? option
  return {
    question_id: id,
    skill_name: kind,
    split: 'made',
    question,
    video_path_mp4: `videos/${file}`,
    video_subtitles: `subtitles/${video}.srt`,
    ...(options ? { options: options.map(listOf), answer_idx: right } : { answer }),
    ...(clues.length > 0 && { temporal_grounding: clues }),
    canary,
  }
}
