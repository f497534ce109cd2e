import { z } from 'zod'
import { metadata } from '../../../make/checks/metadata.ts'
import { subtitles } from '../../../make/checks/subtitles.ts'
import { usualChecks } from '../../../make/checks/usual.ts'
import { type DraftItem, type SourceRecord, sightRoles } from '../../../make/item.ts'
import type { Before, MakeRecipe, MakeStage, SetFile, StageGiven, ToWrite } from '../../../make/recipe.ts'
import { subtitleFiles } from '../../../make/set/subtitle-files.ts'
import { skills } from '../record.ts'
import { followUps } from './follow-ups.ts'
import { type Found, listStage } from './lists.ts'
import { joined } from './orders.ts'
import { outfitStage } from './outfits.ts'
import phrasings from './phrasings.json' with { type: 'json' }
import { appearance, type Draft, most, mostChronological, questionsOf } from './questions.ts'

const settings = z.strictObject({
  minMinutes: z.number().min(0).default(0).describe('shorter videos are refused'),
  options: z
    .union([z.literal(5), z.literal(6)])
    .default(6)
    .describe('with "I don\'t know": 6 as the scripts make, 5 as the paper shows'),
  alike: z
    .number()
    .min(-1)
    .max(1)
    .default(0.6)
    .describe('a picture of a person that is liker to the one before is left out; the paper has 0.6 for DINOv2'),
  segments: z.enum(['covering', 'as released']).default('covering').describe('of the source record, at its ends'),
})
type Settings = z.infer<typeof settings>

const questionStage: MakeStage<Settings> = {
  name: 'questions',
  version: '1',
  prompts: {},
  units: (record, given) =>
    draftsOf(record, given).map((input, at) => ({
      unit: `${record.video_id}_q${String(at + 1).padStart(3, '0')}`,
      input,
    })),
  calls: () => 0,
  make: async ({ unit, input }, { record }) => ({
    ...{ calls: [], tries: 0 },
    output: { id: unit, video: record.video_id, ...(input as Draft) },
  }),
}

function draftsOf(
  record: SourceRecord,
  { before, others = [], author, settings, seed }: StageGiven<Settings>,
): (Draft | null)[] {
  if (before) {
    return questionsOf(record, listsOf(before), settings.options, seed, others.flatMap(listsOf))
  }
  const given = (record.texts ?? []).filter(({ id }) => id.startsWith('about.')).length
  const open = 'model' in author ? 2 * most.open + 12 : 0
  const seen = record.sightings?.people.length ?? 0
  return Array.from({ length: mostChronological + 1 + open + seen + given }, () => null)
}

function listsOf(before: Before): Found[] {
  return Object.values(before)
    .flat()
    .map(({ output }) => output as Found)
}

const isTold = ({ kind }: DraftItem) => kind !== appearance

const infiniBench: MakeRecipe<Settings> = {
  name: 'infinibench',
  version: '5',
  settings,
  paperModels: {
    ...{ author: 'GPT-4o', look: 'GPT-4o', blind: 'GPT-4o, Gemini 2, Qwen2.5-VL' },
    ...{ detect: 'YOLO', faces: 'InsightFace', embedImage: 'DINOv2' },
  },
  minutes: ({ minMinutes }) => minMinutes,
  videoFolder: 'videos',
  stages: [listStage, outfitStage, questionStage],
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
    ...(isByRules ? ['Actions, deep context and linked events need a model: rules ask for orders alone.'] : []),
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
  const files = skills.flatMap((skill): SetFile[] => {
    const own = items.filter(({ kind }) => kind === skill)
    if (own.length === 0 && (skill !== skills[0] || items.length > 0)) return [] // a set without a question has one, empty, file
    const rows = own.map(item => recordOf(item, videoFiles.get(item.video) ?? item.video, canary))
    const content = `${JSON.stringify(rows, null, 1)}\n`
    return [{ path: `made/skills_json/${skill}.json`, content, annotations: true }]
  })
  return [...files, ...subtitleFiles(records, videoFiles, 'subtitles')]
}

// The fields of the released files; the canary goes beside them.
function recordOf(
  { id, video, kind, question, answer, options, right, clues, extra }: DraftItem,
  file: string,
  canary: string,
) {
  const lists = new Map((extra.lists as string[][] | undefined)?.map(list => [joined(list), list]))
  const listed = options?.map(option => {
    const list = lists.get(option)
    return list && list.length > 1 ? list : option
  })
  return {
    ...{ question_id: id, skill_name: kind, split: 'made', question },
    ...{ video_path_mp4: `videos/${file}`, video_subtitles: `subtitles/${video}.srt` },
    ...(listed ? { options: listed, answer_idx: right } : { answer }),
    ...(clues.length > 0 && { temporal_grounding: clues }),
    canary,
  }
}
