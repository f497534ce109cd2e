import type { z } from 'zod'
import { fence } from '../../../../src/core/words/fence.ts'
import { ungrounded } from '../../../../src/text/ungrounded.ts'
import { writingStage } from '../../../make/machine/writing-stage.ts'
import type { Before } from '../../../make/recipe.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import ours from './prompts.json' with { type: 'json' }
import * as replies from './replies.ts'
import { type Asked, type LongshotSettings, most, outputs, type Round, recordText, type Task } from './work.ts'

// 2a. Who watches, and what for.
export const scenarios = writingStage({
  ...{ name: 'scenarios', version: '1', words: ours.scenarios, shape: replies.Scenarios },
  ...{ temperature: 0.1, maxTokens: 1500 },
  most: () => 1,
  inputs: ({ video_id }, _, { scenarios }: LongshotSettings) => [{ unit: `${video_id}/scenarios`, input: scenarios }],
  text: (count: number, { record, settings }) => [
    `At most ${count} scenarios. Tasks:`,
    ...allowedTasks(settings).map(name => `${name}: ${catalogue.tasks[name as keyof typeof catalogue.tasks]}`),
    recordText(record),
  ],
  faultOf(reply, count, { record, settings }) {
    if (reply.scenarios.length > count) return `there are ${reply.scenarios.length} scenarios, ${count} at most`
    const allowed = allowedTasks(settings)
    const task = reply.scenarios.flatMap(({ tasks }) => tasks).find(name => !allowed.includes(name))
    if (task !== undefined) return `the task "${task}" is not in the list`
    const texts = record.segments.map(({ multimodal_description }) => multimodal_description)
    const strange = reply.scenarios.flatMap(({ scenario }) => ungrounded(scenario, texts))
    return strange.length > 0 ? `the record does not hold ${strange.join(', ')}` : undefined
  },
  outputOf: ({ scenarios }) => scenarios,
})

// 2b. Which types of question fit the tasks of a scenario.
export const types = writingStage({
  ...{ name: 'types', version: '1', words: ours.types, shape: replies.Types, temperature: 0.1, maxTokens: 600 },
  most: ({ scenarios }: LongshotSettings) => scenarios,
  inputs: ({ video_id }, before) =>
    outputs<replies.Scenario[]>(before.scenarios)
      .flat()
      .map((input, at) => ({ unit: `${video_id}_s${at + 1}`, input })),
  text: ({ scenario, tasks }: replies.Scenario, { record }) => [
    fence('scenario', scenario),
    `Tasks: ${tasks.join(', ')}`,
    ...Object.entries(catalogue.types).map(([id, { asks, example }]) => `${id}: ${asks} ("${example}")`),
    recordText(record),
  ],
  faultOf: (reply, { tasks }) =>
    reply.tasks.map(one => one.task).join() === tasks.join() ? undefined : `the tasks must be ${tasks.join(', ')}`,
  outputOf: (value, { scenario }, unit): Task[] =>
    value.tasks.map((one, at) => ({ scenario, scenario_id: unit, ...one, task_id: `${unit}_t${at + 1}` })),
})

// 2c. One question and one conversation for each task, then rounds for levels of difficulty that are lacking.
export const questions = writingStage<LongshotSettings, Round, z.infer<typeof replies.Questions>, Asked>({
  ...{ name: 'questions', version: '1', words: ours.questions, shape: replies.Questions },
  ...{ temperature: 0.7, maxTokens: 1500 },
  most: ({ scenarios }) => Math.min(most.tasks, 2 * scenarios) + most.rounds,
  inputs({ video_id }, before) {
    const tasks = tasksIn(before)
    const rounds = Array.from({ length: tasks.length > 0 ? most.rounds : 0 }, (_, at) => {
      const task = tasks[at % tasks.length] as Task
      return {
        unit: `${video_id}/round${at + 1}`,
        input: { ...task, task_id: `${task.task_id}_r${at + 1}`, isRound: true },
      }
    })
    return [...tasks.map(task => ({ unit: task.task_id, input: { ...task, isRound: false } })), ...rounds]
  },
  needless({ isRound }, { earlier }) {
    const [samples, levels] = [earlier.flatMap(one => one.conversations), levelsOf(earlier)]
    const isFull = samples.length >= most.samples || levels.length >= most.questions
    const isDone =
      isRound && (isFull || Object.entries(catalogue.least).every(([one, least]) => shareOf(levels, one) >= least))
    return isDone ? { calls: [], tries: 0, none: 'the levels of its questions need no other' } : undefined
  },
  text: ({ scenario, task, question_types, isRound }, { record, earlier }) => [
    fence('scenario', scenario),
    `Task: ${task}. Types: ${question_types.map(id => `${id} (${catalogue.types[id as keyof typeof catalogue.types].asks})`).join('; ')}`,
    `Wanted difficulty, where the video bears it: ${wantedLevel(levelsOf(earlier))}.`,
    ...(isRound ? ['Write the single question alone; "multi_turn_questions" is empty.'] : []),
    ...(earlier.length > 0 ? ['Already asked:', fence('questions', askedIn(earlier).join('\n'))] : []),
    recordText(record),
  ],
  faultOf: (reply, { isRound }, { record, earlier }) =>
    replies.faultOfQuestions(
      reply,
      isRound,
      new Set(record.segments.map(({ segment_index }) => segment_index)),
      askedIn(earlier),
    ),
  outputOf: ({ single_turn_questions, multi_turn_questions }, { isRound: _, ...task }): Asked => ({
    ...task,
    conversations: [...single_turn_questions.map(one => [one]), ...multi_turn_questions],
  }),
})

function allowedTasks({ tasks }: LongshotSettings): string[] {
  return replies.taskNames.filter(name => tasks === 'all' || !catalogue.leftOut.includes(name))
}

// The first task of every scenario before the second of any.
function tasksIn(before: Before): Task[] {
  const all = outputs<Task[]>(before.types)
  return [0, 1].flatMap(place => all.flatMap(tasks => tasks[place] ?? [])).slice(0, most.tasks)
}

function askedIn(earlier: readonly Asked[]): string[] {
  return earlier.flatMap(({ conversations }) => conversations.flat().map(({ question }) => question))
}

function levelsOf(earlier: readonly Asked[]): number[] {
  return earlier.flatMap(({ conversations }) => conversations.flat().map(({ difficulty }) => difficulty))
}

// The two lowest levels are one of the mix.
function shareOf(levels: readonly number[], level: string): number {
  return levels.length === 0 ? 0 : levels.filter(one => String(Math.max(2, one)) === level).length / levels.length
}

// The level that is furthest below its wanted share.
function wantedLevel(levels: readonly number[]): string {
  const short = Object.entries(catalogue.mix).map(([level, share]) => ({ level, by: share - shareOf(levels, level) }))
  return short.reduce((best, one) => (one.by > best.by ? one : best)).level
}
