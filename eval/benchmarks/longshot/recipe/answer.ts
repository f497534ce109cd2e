import { z } from 'zod'
import { mergeSpans, overlap } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { fillTemplate } from '../../../protocols/fill-template.ts'
import type { UnitResult } from '../../../recipes/author.ts'
import { type DraftItem, draftItemId, type SourceRecord, toIntervals } from '../../../recipes/item.ts'
import { type MakeStage, type MakeUnit, outputsOf } from '../../../recipes/recipe.ts'
import { draftByRules, type RulesDraft } from '../../../recipes/rules/draft-by-rules.ts'
import { writingStage } from '../../../recipes/writing-stage.ts'
import { resultsText } from '../frames.ts'
import {
  type AskedTask,
  type ConversationQuestion,
  isAgentic,
  type LongshotSettings,
  max,
  recordText,
  type Task,
} from './ask.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import { callsByRules, mostTurns } from './dialogues.ts'
import { computingTools, type ExpectedCall } from './expected-calls.ts'
import prompts from './prompts.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }

const penalties: Record<string, string> = catalogue.penalties
const weights: Record<string, number> = catalogue.weights

const Criterion = z.strictObject({
  name: z.enum([...catalogue.criteria, ...Object.keys(penalties)]),
  description: z.string().min(3),
  category: z.enum(Object.keys(weights)),
  is_penalty: z.boolean(),
})
const Rubric = z.strictObject({ criteria: z.array(Criterion).min(1).max(5) })
export type Rubric = z.infer<typeof Rubric>

export function faultOfRubric({ criteria }: Rubric): string | undefined {
  const names = criteria.map(({ name }) => name)
  const double = names.find((name, at) => names.indexOf(name) < at)
  if (double !== undefined) return `two criteria are called "${double}"`
  const wrong = criteria.find(({ name, category }) => (category === 'penalty') !== name in penalties)
  if (wrong)
    return `"${wrong.name}" ${wrong.name in penalties ? 'must have the category penalty' : 'is not the name of a penalty'}`
  return criteria.some(one => one.category === 'high_priority') ? undefined : 'no criterion is of high priority'
}

// With its weight, and a penalty with its fixed sentence.
export function weigh(one: { name: string; description: string; category?: string }) {
  const { name, category = 'medium_priority' } = one
  const description = penalties[name] ?? one.description
  return { name, description, category, weight: weights[category] ?? 3, is_penalty: category === 'penalty' }
}

type TurnPlace = Task & { conversation: string; place: number; turns: number; question: ConversationQuestion }
type Answered = TurnPlace & { answer: string }

const Answer = z.strictObject({ question: z.string(), answer: z.string().min(1) })

// 3. One answer a call; a turn after a failed one is not asked.
export const answers = writingStage<LongshotSettings, TurnPlace, z.infer<typeof Answer>, Answered>({
  name: 'answers',
  ...prompts.answers,
  shape: Answer,
  most: mostQuestions,
  inputs(_, { questions = [], dialogues = [] }) {
    const tasks = outputsOf<AskedTask>([...questions, ...dialogues])
    const conversations = tasks.flatMap(({ conversations, ...task }) => conversations.map(turns => ({ task, turns })))
    return conversations.flatMap(({ task, turns }) => {
      const conversation = `${task.task_id}_${turns.length > 1 ? 'mq1' : 'q1'}`
      return turns.map((question, place) => ({
        unit: `${conversation}_t${place + 1}`,
        input: { ...task, conversation, place, turns: turns.length, question },
      }))
    })
  },
  needless(input, { earlier }) {
    const isWhole = turnsBefore(input, earlier).length === input.place
    return isWhole ? undefined : { rejected: { check: 'conversation', detail: 'a turn before it has no answer' } }
  },
  text: (input, { record, earlier }) => [
    fence('scenario', input.scenario),
    `Task: ${input.task}`,
    ...turnsBefore(input, earlier).map(({ question: { question }, answer }) =>
      fence('turn', `Asked: ${question}\nAnswered: ${answer}`),
    ),
    fence('question', input.question.question),
    ...(input.question.tool_calls ? [fence('calls', resultsText(input.question.tool_calls))] : []),
    recordText(record),
  ],
  faultOf: (reply, { question: { question } }) =>
    reply.question.trim() === question.trim() ? undefined : `the question must be "${question}"`,
  outputOf: ({ answer }, input) => ({ ...input, answer }),
})

function turnsBefore({ conversation, place }: TurnPlace, earlier: readonly Answered[]): Answered[] {
  return earlier.filter(one => one.conversation === conversation && one.place < place)
}

// 4. The rubric, only from question and answer; a conversation that lacks an answer is left out whole.
const rubric = writingStage<LongshotSettings, Answered, Rubric, DraftItem>({
  name: 'rubric',
  ...prompts.rubric,
  shape: Rubric,
  most: mostQuestions,
  inputs({ video_id }, before) {
    const all = outputsOf<Answered>(before.answers)
    const isWhole = ({ conversation, turns }: TurnPlace) =>
      all.filter(one => one.conversation === conversation).length === turns
    return all.filter(isWhole).map((input, at) => ({ unit: draftItemId(video_id, at), input }))
  },
  text: ({ question, answer }) => [fence('question', question.question), fence('answer', answer)],
  faultOf: reply => faultOfRubric(reply),
  outputOf: ({ criteria }, input, id, record) => draftItem(input, id, record, { criteria: criteria.map(weigh) }),
})

function draftItem(
  { question: { question, ...about }, answer, ...extra }: Answered,
  id: string,
  record: SourceRecord,
  more: object,
): DraftItem {
  const source = citeSource(record, about.key_segments)
  const all = { ...extra, ...about, ...more }
  return { id, video: record.video_id, kind: extra.task, question, answer, ...source, extra: all }
}

function mostQuestions(settings: LongshotSettings): number {
  return isAgentic(settings) ? settings.dialogues * mostTurns : max.questions
}

// The author's, or the rules': those write questions, answers and rubrics at once. The rubric of an agentic turn is made from its calls
// when it is scored, and nobody writes one.
export const writeConversations: MakeStage<LongshotSettings, DraftItem> = {
  ...rubric,
  units(record, given) {
    if (!('model' in given.author)) return rulesUnits(record, given.seed, max.samples, isAgentic(given.settings))
    const units = rubric.units(record, given)
    return isAgentic(given.settings) && !given.before ? units.map(({ unit }) => ({ unit, input: agenticUnit })) : units
  },
  calls: (unit, author) => (readExpectedCalls(unit) ? 0 : rubric.calls(unit, author)),
  async make(made, work) {
    if (!('model' in work.author)) return writtenByRules(made, work.record)
    const calls = readExpectedCalls(made)
    if (!calls) return rubric.make(made, work)
    const computed = computingTools(calls)
    const more = computed.length > 0 ? { computed } : {}
    return { output: draftItem(made.input as Answered, made.unit, work.record, more) }
  },
}

const agenticUnit = { question: { tool_calls: [] } } // before any is written

function readExpectedCalls({ input }: MakeUnit): ExpectedCall[] | undefined {
  return (input as Partial<Answered>).question?.tool_calls
}

// Rows and stretches of the key segments; those that touch are one.
function citeSource({ segments, statistics: { duration } }: SourceRecord, keys: readonly number[]) {
  const citedSegments = segments.filter(({ segment_index }) => keys.includes(segment_index))
  const spans = citedSegments.map(({ temporal: { start, end } }) => ({ start, end: Math.min(end, duration) }))
  return { rows: [...new Set(citedSegments.flatMap(({ rows }) => rows))], clues: toIntervals(mergeSpans(spans, 0)) }
}

type Form = keyof typeof rules.forms

// Only single questions, a rubric of one fact in each criterion and the penalty for any other value.
function rulesUnits(record: SourceRecord, seed: number, count: number, agentic: boolean): MakeUnit[] {
  const forms = Object.keys(rules.forms) as Form[]
  const drafts = draftByRules(record, { forms, negatives: { min: 0, max: 0 }, seed, count })
  return drafts.map((draft, at) => ({
    unit: draftItemId(record.video_id, at),
    input: agentic ? { ...draft, tool_calls: callsByRules(draft, record) } : draft,
  }))
}

function writtenByRules({ unit: id, input }: MakeUnit, record: SourceRecord): UnitResult<DraftItem> {
  const { form, question, answer, rows, clues, extra, tool_calls } = input as RulesDraft & {
    tool_calls?: ExpectedCall[]
  }
  const { task, type, difficulty, modalities, ...rule } = rules.forms[form as Form]
  const kind = tool_calls ? catalogue.agenticTask : task
  const places = answer.split(', then ')
  const slots = { ...(extra.slots as Record<string, string>), answer, first: places[0], last: places.at(-1) }
  const citedRows = record.rows.filter(row => rows.includes(row.id))
  const keys = record.segments.filter(({ temporal }) => citedRows.some(({ span }) => overlap(span, temporal) > 0))
  const criteria = [
    { name: 'factual_correctness', description: rule.high, category: 'high_priority' },
    ...('medium' in rule ? [{ name: 'key_details', description: rule.medium, category: 'medium_priority' }] : []),
    { name: 'hallucination', description: '', category: 'penalty' },
  ]
  const scenario_id = `${record.video_id}_s1`
  const task_id = `${scenario_id}_t${id.slice(-2)}`
  const about = {
    scenario: rules.scenario,
    scenario_id,
    task: kind,
    task_id,
    question_types: [type],
    conversation: `${task_id}_q1`,
    place: 0,
    turns: 1,
    difficulty,
    modalities,
    key_segments: keys.map(({ segment_index }) => segment_index).slice(0, 10),
    ...(tool_calls
      ? { tool_calls }
      : { criteria: criteria.map(one => weigh({ ...one, description: fillTemplate(one.description, slots) })) }),
  }
  const itemDraft = { id, video: record.video_id, kind, question, answer: fillTemplate(rule.reference, slots) }
  return { output: { ...itemDraft, rows, clues, extra: { ...extra, ...about } } }
}
