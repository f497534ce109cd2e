import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffled } from '../../../data/deck.ts'
import type { DraftItem, SourceRecord } from '../../../make/item.ts'
import type { MakeStage, StageGiven } from '../../../make/recipe.ts'
import type { Form } from '../../../make/rules/candidates.ts'
import { cluesOf, draftByRules } from '../../../make/rules/draft-by-rules.ts'
import { factsOf } from '../../../make/rules/facts.ts'
import { letterIndex } from '../../../metrics/choice/options.ts'
import { type AllvbSettings, type Batch, bannedIn, filmStage, type Question, scenesStage } from './draft.ts'
import { details, nameOf, ownTemplates, type Template } from './templates.ts'

export interface QuestionSettings extends AllvbSettings {
  perVideo: number
}

type Draft = Omit<DraftItem, 'id' | 'video'>
type Input = { draft: Draft } | { batch: Omit<Batch, 'questions' | 'templates'>; template: string; question?: Question }

// One draft for each question that was to be made: 11 on the film, 14 on each sub-plot, 10 details. What did not come is listed.
export const questionsStage: MakeStage<QuestionSettings> = {
  name: 'questions',
  version: '1',
  prompts: {},
  units(record, given) {
    const inputs = 'model' in given.author ? [] : byRules(record, given).map((draft): Input => ({ draft }))
    const all = [...inputs, ...batchesOf(record, given).flatMap(asked)]
    return all.map((input, at) => ({ unit: `${record.video_id}_q${String(at + 1).padStart(3, '0')}`, input }))
  },
  calls: () => 0,
  async make({ unit, input }, { record, settings }) {
    const given = input as Input
    const done = { calls: [], tries: 0 }
    const item = { id: unit, video: record.video_id }
    if ('draft' in given) return { ...done, output: { ...item, ...given.draft } }
    const { batch, template, question } = given
    if (!question)
      return {
        ...done,
        rejected: { check: 'reply', detail: `no question for ${template}: ${batch.fault ?? 'none came'}` },
      }
    const banned = batch.scope === 'scene' ? bannedIn(question.question) : undefined
    if (banned !== undefined) return { ...done, rejected: { check: 'form', detail: `the question ${banned}` } }
    return { ...done, output: { ...item, ...draftOf(question, template, batch, settings) } }
  },
}

// What the stages before wrote; while they are not made, what they will be asked for.
function batchesOf(record: SourceRecord, given: StageGiven<QuestionSettings>): Batch[] {
  const { before } = given
  if (before)
    return ['film', 'scenes', 'details'].flatMap(stage => (before[stage] ?? []).map(({ output }) => output as Batch))
  const counts = [...[filmStage, scenesStage].map(stage => stage.units(record, given).length), details]
  const templates = [11, 14, 1].flatMap((each, at) => Array.from({ length: each * (counts[at] ?? 0) }, () => 'unknown'))
  return [{ scope: 'film', templates, questions: [], rows: [], clues: [] }]
}

function asked({ questions, templates, ...batch }: Batch): Input[] {
  return templates.map(template => ({ batch, template, question: questions.find(one => one.template === template) }))
}

function draftOf(
  { question, options, answer, reasoning }: Question,
  template: string,
  { rows, clues, subplot }: Pick<Batch, 'rows' | 'clues' | 'subplot'>,
  { texts = ownTemplates }: QuestionSettings,
): Draft {
  const known = texts.find(one => nameOf(one) === template)
  const right = letterIndex(answer) ?? 0
  const [task = ''] = template.split(': ')
  const marks = known?.counted && { computed: [options[right]] }
  const extra = { sub_task: template.slice(task.length + 2), reasoning, ...marks, ...(subplot && { subplot }) }
  return { kind: task, question, answer: options[right] ?? '', options, right, rows, clues, extra }
}

const ruled: Partial<Record<Form, Pick<Template, 'task' | 'sub_task'>>> = {
  order: { task: 'ED', sub_task: 'Event Sequence Analysis' },
  'order said': { task: 'ED', sub_task: 'Event Sequence Analysis' },
  'said while shown': { task: 'VCap', sub_task: 'Dialogue Summarization' },
}

// What text on the screen and speech allow: orders, what is said while something is shown, and how many titled scenes there are.
function byRules(record: SourceRecord, { seed, settings: { perVideo } }: StageGiven<QuestionSettings>): Draft[] {
  const forms = Object.keys(ruled) as Form[]
  const count = sceneCount(record, seed)
  const drafts = draftByRules(record, { forms, negatives: { min: 4, max: 4 }, seed, count: perVideo - count.length })
  return [
    ...count,
    ...drafts.map(({ form, ...draft }): Draft => {
      const { task = '', sub_task = '' } = ruled[form] ?? {}
      const { level3: _, ...extra } = draft.extra
      return { ...draft, kind: task, extra: { ...extra, sub_task, reasoning: 'by the rows that it rests on' } }
    }),
  ]
}

const width = 5
export const countQuestion = 'How many scenes with a title of their own are there?'

// A range of five that holds the number of titled scenes; none where other text was seen: it might be one more.
function sceneCount(record: SourceRecord, seed: number): Draft[] {
  const { slides, texts } = factsOf(record)
  if (slides.length < 2 || texts.length > slides.length) return []
  const random = drawFor(seed, 'scenes', record.video_id)
  const own = Math.floor(slides.length / width)
  const lowest = Math.max(0, own - Math.floor(random() * width))
  const range = (at: number) => `[${width * at}, ${width * (at + 1)})`
  const options = shuffled(
    Array.from({ length: 5 }, (_, at) => range(lowest + at)),
    random,
  )
  const rows = slides.map(({ row }) => row)
  return [
    {
      ...{ kind: 'SR', question: countQuestion, answer: range(own), options },
      ...{ right: options.indexOf(range(own)), rows, clues: cluesOf(record, rows) },
      extra: { sub_task: 'Scene Quantity Recognition', reasoning: `${slides.length} titles`, computed: [range(own)] },
    },
  ]
}
