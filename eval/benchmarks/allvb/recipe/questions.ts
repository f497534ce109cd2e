import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffle } from '../../../data/deck.ts'
import { letterIndex } from '../../../metrics/choice/options.ts'
import { type DraftItem, draftItemId, type SourceRecord } from '../../../recipes/item.ts'
import { type MakeStage, type MakeStageInput, outputsOf } from '../../../recipes/recipe.ts'
import type { Form } from '../../../recipes/rules/candidates.ts'
import { clueIntervals, draftByRules } from '../../../recipes/rules/draft-by-rules.ts'
import { collectFacts } from '../../../recipes/rules/facts.ts'
import {
  type AllvbSettings,
  type Batch,
  bannedIn,
  details,
  filmStage,
  scenesStage,
  type WrittenQuestion,
} from './draft.ts'
import { ownTemplates, type Template, taskLabel } from './templates.ts'

type Draft = Omit<DraftItem, 'id' | 'video'>
type BatchUnit = { batch: Omit<Batch, 'questions' | 'templates'>; template: string; question?: WrittenQuestion }

// One draft for each question that was to be made: 11 on the film, 14 on each sub-plot, 10 details. What did not come is listed.
export const questionsStage: MakeStage<AllvbSettings> = {
  name: 'questions',
  version: '1',
  prompts: {},
  units(record, given) {
    const ruled = 'model' in given.author ? [] : byRules(record, given).map(draft => ({ draft }))
    const inputs = [...ruled, ...collectBatches(record, given).flatMap(askedIn)]
    return inputs.map((input, at) => ({ unit: draftItemId(record.video_id, at, 3), input }))
  },
  calls: () => 0,
  async make({ unit, input }, { record, settings }) {
    const unitInput = input as { draft: Draft } | BatchUnit
    const drafted = (draft: Draft) => ({ output: { id: unit, video: record.video_id, ...draft } })
    const rejected = (check: string, detail: string) => ({ rejected: { check, detail } })
    if ('draft' in unitInput) return drafted(unitInput.draft)
    const { batch, template, question } = unitInput
    if (!question) return rejected('reply', `no question for ${template}: ${batch.fault ?? 'none came'}`)
    const banned = bannedIn(question.question, batch)
    return banned === undefined
      ? drafted(buildDraft(question, unitInput, settings))
      : rejected('form', `the question ${banned}`)
  },
}

// What the stages before wrote; while they are not made, what they will be asked for.
function collectBatches(record: SourceRecord, given: MakeStageInput<AllvbSettings>): Batch[] {
  const { before } = given
  if (before) return ['film', 'scenes', 'details'].flatMap(stage => outputsOf<Batch>(before[stage]))
  const units = [filmStage, scenesStage].flatMap(stage => stage.units(record, given))
  const labels = units.flatMap(({ input }) => (input as { templates: Template[] }).templates.map(taskLabel))
  const templates = [...labels, ...Array<string>(details).fill('NH')]
  return [{ scope: 'film', templates, questions: [], rows: [], clues: [] }]
}

function askedIn({ questions, templates, ...batch }: Batch): BatchUnit[] {
  return templates.map(template => ({ batch, template, question: questions.find(one => one.template === template) }))
}

function buildDraft(
  { question, options, answer, reasoning }: WrittenQuestion,
  { batch: { rows, clues, subplot }, template }: BatchUnit,
  { texts = ownTemplates }: AllvbSettings,
): Draft {
  const right = letterIndex(answer) ?? 0
  const [kind = ''] = template.split(': ')
  const counted = texts.find(one => taskLabel(one) === template)?.counted && { computed: [options[right]] }
  const extra = { sub_task: template.slice(kind.length + 2), reasoning, ...counted, ...(subplot && { subplot }) }
  return { kind, question, answer: options[right] ?? '', options, right, rows, clues, extra }
}

const ruled: Partial<Record<Form, [task: string, sub_task: string]>> = {
  order: ['ED', 'Event Sequence Analysis'],
  'order said': ['ED', 'Event Sequence Analysis'],
  'said while shown': ['VCap', 'Dialogue Summarization'],
}

// What text on the screen and speech allow: orders, what is said while something is shown, and how many titled scenes there are.
function byRules(record: SourceRecord, { seed, settings: { perVideo } }: MakeStageInput<AllvbSettings>): Draft[] {
  const forms = Object.keys(ruled) as Form[]
  const count = sceneCount(record, seed)
  const drafts = draftByRules(record, { forms, negatives: { min: 4, max: 4 }, seed, count: perVideo - count.length })
  return [
    ...count,
    ...drafts.map(({ form, ...draft }): Draft => {
      const [kind = '', sub_task] = ruled[form] ?? []
      const { level3: _, ...extra } = draft.extra
      return { ...draft, kind, extra: { ...extra, sub_task, reasoning: 'by the rows that it rests on' } }
    }),
  ]
}

const width = 5
export const countQuestion = 'How many scenes with a title of their own are there?'

// A range of five that holds the number of titled scenes; none if other text was seen: it might be one more.
function sceneCount(record: SourceRecord, seed: number): Draft[] {
  const { slides, texts } = collectFacts(record)
  if (slides.length < 2 || texts.length > slides.length) return []
  const random = drawFor(seed, 'scenes', record.video_id)
  const slidesEach = Math.floor(slides.length / width)
  const lowest = Math.max(0, slidesEach - Math.floor(random() * width))
  const ranges = Array.from({ length: 5 }, (_, at) => rangeAt(lowest + at))
  const options = shuffle(ranges, random)
  const answer = rangeAt(slidesEach)
  const rows = slides.map(({ row }) => row)
  const extra = { sub_task: 'Scene Quantity Recognition', reasoning: `${slides.length} titles`, computed: [answer] }
  const choice = { question: countQuestion, answer, options, right: options.indexOf(answer) }
  return [{ kind: 'SR', ...choice, rows, clues: clueIntervals(record, rows), extra }]
}

function rangeAt(at: number): string {
  return `[${width * at}, ${width * (at + 1)})`
}
