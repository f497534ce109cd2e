import type { z } from 'zod'
import { fence } from '../../../../src/core/words/fence.ts'
import type { DraftItem } from '../../../make/item.ts'
import { writingStage } from '../../../make/machine/writing-stage.ts'
import type { MakeStage } from '../../../make/recipe.ts'
import ours from './prompts.json' with { type: 'json' }
import * as replies from './replies.ts'
import { type Answered, type Asked, type LongshotSettings, most, outputs, type Place, recordText } from './work.ts'
import { rulesUnits, sourceOf, writtenByRules } from './write-by-rules.ts'

// 3. One answer a call; a turn after a failed one is not asked.
export const answers = writingStage<LongshotSettings, Place, z.infer<typeof replies.Answer>, Answered>({
  ...{ name: 'answers', version: '1', words: ours.answers, shape: replies.Answer, temperature: 0.2, maxTokens: 800 },
  most: () => most.questions,
  inputs: (_, before) =>
    outputs<Asked>(before.questions).flatMap(({ conversations, ...task }) =>
      conversations.flatMap(turns =>
        turns.map((question, place) => {
          const conversation = `${task.task_id}_${turns.length > 1 ? 'mq1' : 'q1'}`
          const input: Place = { ...task, conversation, place, turns: turns.length, question }
          return { unit: `${conversation}_t${place + 1}`, input }
        }),
      ),
    ),
  needless: (input: Place, { earlier }) =>
    turnsBefore(input, earlier).length < input.place
      ? { calls: [], tries: 0, rejected: { check: 'conversation', detail: 'a turn before it has no answer' } }
      : undefined,
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
  outputOf: ({ answer }, input): Answered => ({ ...input, answer }),
})

// 4. The rubric, from question and answer alone; a conversation that lacks an answer is left out whole.
const rubric = writingStage({
  ...{ name: 'rubric', version: '1', words: ours.rubric, shape: replies.Rubric, temperature: 0.2, maxTokens: 800 },
  most: () => most.questions,
  inputs({ video_id }, before) {
    const all = outputs<Answered>(before.answers)
    const isWhole = ({ conversation, turns }: Place) =>
      all.filter(one => one.conversation === conversation).length === turns
    return all.filter(isWhole).map((input, at) => ({ unit: `${video_id}_q${String(at + 1).padStart(2, '0')}`, input }))
  },
  text: ({ question, answer }: Answered) => [fence('question', question.question), fence('answer', answer)],
  faultOf: reply => replies.faultOfRubric(reply),
  outputOf({ criteria }, { question: { question, ...about }, answer, ...extra }, id, record): DraftItem {
    const source = sourceOf(record, about.key_segments)
    const all = { ...extra, ...about, criteria: criteria.map(replies.weighed) }
    return { id, video: record.video_id, kind: extra.task, question, answer, ...source, extra: all }
  },
})

// The author's, or the rules': those write questions, answers and rubrics at once.
export const written: MakeStage<LongshotSettings, DraftItem> = {
  ...rubric,
  units: (record, given) =>
    'model' in given.author ? rubric.units(record, given) : rulesUnits(record, given.seed, most.samples),
  make: async (unit, work) => ('model' in work.author ? rubric.make(unit, work) : writtenByRules(unit, work.record)),
}

function turnsBefore({ conversation, place }: Place, earlier: readonly Answered[]): Answered[] {
  return earlier.filter(one => one.conversation === conversation && one.place < place)
}
