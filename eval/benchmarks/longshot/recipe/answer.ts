import { z } from 'zod'
import { mergeSpans } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { type DraftItem, draftItemId, type ItemInterval, type SourceRecord } from '../../../recipes/item.ts'
import { type MakeStage, outputsOf } from '../../../recipes/recipe.ts'
import { writingStage } from '../../../recipes/writing-stage.ts'
import { type AskedTask, type ConversationQuestion, type LongshotSettings, max, recordText, type Task } from './ask.ts'
import prompts from './prompts.json' with { type: 'json' }
import { faultOfRubric, Rubric, weighed } from './rubric.ts'
import { rulesUnits, writtenByRules } from './write-by-rules.ts'

type TurnPlace = Task & { conversation: string; place: number; turns: number; question: ConversationQuestion }
type Answered = TurnPlace & { answer: string }

const Answer = z.strictObject({ question: z.string(), answer: z.string().min(1) })

// 3. One answer a call; a turn after a failed one is not asked.
export const answers = writingStage<LongshotSettings, TurnPlace, z.infer<typeof Answer>, Answered>({
  ...{ name: 'answers', ...prompts.answers, shape: Answer },
  most: () => max.questions,
  inputs: (_, before) =>
    outputsOf<AskedTask>(before.questions).flatMap(({ conversations, ...task }) =>
      conversations.flatMap(turns =>
        turns.map((question, place) => {
          const conversation = `${task.task_id}_${turns.length > 1 ? 'mq1' : 'q1'}`
          const input: TurnPlace = { ...task, conversation, place, turns: turns.length, question }
          return { unit: `${conversation}_t${place + 1}`, input }
        }),
      ),
    ),
  needless(input, { earlier }) {
    const isWhole = turnsBefore(input, earlier).length === input.place
    return isWhole ? undefined : { rejected: { check: 'conversation', detail: 'a turn before it has no answer' } }
  },
  text: (input, { record, earlier }) => [
    fence('scenario', input.scenario),
    `Task: ${input.task}`,
    ...turnsBefore(input, earlier).map(one =>
      fence('turn', `Asked: ${one.question.question}\nAnswered: ${one.answer}`),
    ),
    fence('question', input.question.question),
    recordText(record),
  ],
  faultOf: (reply, { question: { question } }) =>
    reply.question.trim() === question.trim() ? undefined : `the question must be "${question}"`,
  outputOf: ({ answer }, input) => ({ ...input, answer }),
})

function turnsBefore({ conversation, place }: TurnPlace, earlier: readonly Answered[]): Answered[] {
  return earlier.filter(one => one.conversation === conversation && one.place < place)
}

// 4. The rubric, from question and answer alone; a conversation that lacks an answer is left out whole.
const rubric = writingStage<LongshotSettings, Answered, Rubric, DraftItem>({
  ...{ name: 'rubric', ...prompts.rubric, shape: Rubric },
  most: () => max.questions,
  inputs({ video_id }, before) {
    const all = outputsOf<Answered>(before.answers)
    const isWhole = ({ conversation, turns }: TurnPlace) =>
      all.filter(one => one.conversation === conversation).length === turns
    return all.filter(isWhole).map((input, at) => ({ unit: draftItemId(video_id, at), input }))
  },
  text: ({ question, answer }) => [fence('question', question.question), fence('answer', answer)],
  faultOf: reply => faultOfRubric(reply),
  outputOf({ criteria }, { question: { question, ...about }, answer, ...extra }, id, record) {
    const source = sourceOf(record, about.key_segments)
    const all = { ...extra, ...about, criteria: criteria.map(weighed) }
    return { id, video: record.video_id, kind: extra.task, question, answer, ...source, extra: all }
  },
})

// The author's, or the rules': those write questions, answers and rubrics at once.
export const writeConversations: MakeStage<LongshotSettings, DraftItem> = {
  ...rubric,
  units: (record, given) =>
    'model' in given.author ? rubric.units(record, given) : rulesUnits(record, given.seed, max.samples),
  make: async (unit, work) => ('model' in work.author ? rubric.make(unit, work) : writtenByRules(unit, work.record)),
}

// Rows and stretches of the key segments; those that touch are one.
function sourceOf({ segments, statistics: { duration } }: SourceRecord, keys: readonly number[]) {
  const citedSegments = segments.filter(({ segment_index }) => keys.includes(segment_index))
  const spans = citedSegments.map(({ temporal: { start, end } }) => ({ start, end: Math.min(end, duration) }))
  const clues = mergeSpans(spans, 0).map(({ start, end }): ItemInterval => [start, end])
  return { rows: [...new Set(citedSegments.flatMap(({ rows }) => rows))], clues }
}
