import { z } from 'zod'
import { formatTime } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { findUngrounded } from '../../../../src/text/ungrounded.ts'
import type { SourceRecord } from '../../../recipes/item.ts'
import { outputsOf } from '../../../recipes/recipe.ts'
import { askedBefore, writingStage } from '../../../recipes/writing-stage.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import type { ExpectedCall } from './expected-calls.ts'
import { isMixed, wantedLevel } from './levels.ts'
import prompts from './prompts.json' with { type: 'json' }

export interface LongshotSettings {
  scenarios: number
  tasks: 'official' | 'all' | 'agentic'
  dialogues: number
}
export const isAgentic = ({ tasks }: LongshotSettings) => tasks === 'agentic'
export const max = { tasks: 6, samples: 12, questions: 24, rounds: 2 } // of a video

export type Task = { scenario: string; scenario_id: string; task: string; task_id: string; question_types: string[] }
type Round = Task & { isRound: boolean } // for a level that is lacking
export type AskedTask = Task & { conversations: ConversationQuestion[][] }

const taskName = z.enum(Object.keys(catalogue.tasks))
const Scenario = z.strictObject({ scenario: z.string().min(3), tasks: z.array(taskName).min(1).max(2) })
type Scenario = z.infer<typeof Scenario>

// 2a. Who watches, and what for.
export const scenarios = writingStage({
  name: 'scenarios',
  ...prompts.scenarios,
  shape: z.strictObject({ scenarios: z.array(Scenario).min(1).max(5) }),
  most: (settings: LongshotSettings) => Number(!isAgentic(settings)),
  inputs: ({ video_id }, _, settings: LongshotSettings) =>
    isAgentic(settings) ? [] : [{ unit: `${video_id}/scenarios`, input: settings.scenarios }],
  text: (count: number, { record, settings }) => [
    `At most ${count} scenarios. Tasks:`,
    ...allowedTasks(settings).map(([name, meaning]) => `${name}: ${meaning}`),
    recordText(record),
  ],
  faultOf({ scenarios }, count, { record, settings }) {
    if (scenarios.length > count) return `there are ${scenarios.length} scenarios, ${count} at most`
    const allowed = allowedTasks(settings).map(([name]) => name)
    const task = scenarios.flatMap(({ tasks }) => tasks).find(name => !allowed.includes(name))
    if (task !== undefined) return `the task "${task}" is not in the list`
    return strangeScenario(
      scenarios.map(({ scenario }) => scenario),
      record,
    )
  },
  outputOf: ({ scenarios }) => scenarios,
})

const typeId = z.enum(Object.keys(catalogue.types))
const TypedTask = z.strictObject({ task: z.string(), question_types: z.array(typeId).min(1).max(3) })

// 2b. Which types of question fit the tasks of a scenario.
export const types = writingStage({
  name: 'types',
  ...prompts.types,
  shape: z.strictObject({ scenario: z.string(), tasks: z.array(TypedTask).min(1).max(2) }),
  most: (settings: LongshotSettings) => (isAgentic(settings) ? 0 : settings.scenarios),
  inputs: ({ video_id }, before) =>
    outputsOf<Scenario[]>(before.scenarios)
      .flat()
      .map((input, at) => ({ unit: `${video_id}_s${at + 1}`, input })),
  text: ({ scenario, tasks }: Scenario, { record }) => [
    fence('scenario', scenario),
    `Tasks: ${tasks.join(', ')}`,
    ...Object.entries(catalogue.types).map(([id, { asks, example }]) => `${id}: ${asks} ("${example}")`),
    recordText(record),
  ],
  faultOf: (reply, { tasks }) =>
    reply.tasks.map(one => one.task).join() === tasks.join() ? undefined : `the tasks must be ${tasks.join(', ')}`,
  outputOf: ({ tasks }, { scenario }, scenario_id): Task[] =>
    tasks.map((one, at) => ({ scenario, scenario_id, ...one, task_id: `${scenario_id}_t${at + 1}` })),
})

export const TurnQuestion = z.strictObject({
  question: z.string().min(3),
  difficulty: z.number().int().min(1).max(5),
  modalities: z.array(z.enum(catalogue.modalities)).min(1).max(3),
  key_segments: z.array(z.number().int().min(0)).min(1).max(10),
})
const Turn = TurnQuestion.extend({ conversation_role: z.enum(catalogue.roles) })
export type ConversationQuestion = z.infer<typeof TurnQuestion> & {
  conversation_role?: string
  tool_calls?: ExpectedCall[]
}
const Questions = z.strictObject({
  single_turn_questions: z.array(TurnQuestion).length(1),
  multi_turn_questions: z.array(z.array(Turn).min(2).max(3)).max(1),
})
type Questions = z.infer<typeof Questions>

// 2c. One question and one conversation for each task, then rounds for levels of difficulty that are lacking.
export const questions = writingStage<LongshotSettings, Round, Questions, AskedTask>({
  name: 'questions',
  ...prompts.questions,
  shape: Questions,
  most: settings => (isAgentic(settings) ? 0 : Math.min(max.tasks, 2 * settings.scenarios) + max.rounds),
  inputs({ video_id }, before) {
    const all = outputsOf<Task[]>(before.types) // the first task of every scenario comes before the second of any
    const tasks = [0, 1].flatMap(place => all.flatMap(tasks => tasks[place] ?? [])).slice(0, max.tasks)
    const rounds = [...tasks, ...tasks].slice(0, max.rounds).map((task, at) => {
      const input = { ...task, task_id: `${task.task_id}_r${at + 1}`, isRound: true }
      return { unit: `${video_id}/round${at + 1}`, input }
    })
    return [...tasks.map(task => ({ unit: task.task_id, input: { ...task, isRound: false } })), ...rounds]
  },
  needless({ isRound }, { earlier }) {
    const levels = turnsIn(earlier).map(({ difficulty }) => difficulty)
    const samples = earlier.flatMap(one => one.conversations)
    const isDone = samples.length >= max.samples || levels.length >= max.questions || isMixed(levels)
    return isRound && isDone ? { none: 'the levels of its questions need no other' } : undefined
  },
  text({ scenario, task, question_types, isRound }, { record, earlier }) {
    const meaningOf = (id: string) => catalogue.types[id as keyof typeof catalogue.types].asks
    const levels = turnsIn(earlier).map(({ difficulty }) => difficulty)
    return [
      fence('scenario', scenario),
      `Task: ${task}. Types: ${question_types.map(id => `${id} (${meaningOf(id)})`).join('; ')}`,
      `Wanted difficulty, where the video bears it: ${wantedLevel(levels)}.`,
      ...(isRound ? ['Write only the single question; "multi_turn_questions" is empty.'] : []),
      ...askedBefore(questionsIn(earlier)),
      recordText(record),
    ]
  },
  faultOf(reply, { isRound }, { record, earlier }) {
    return faultOfQuestions(reply, isRound, segmentIds(record), questionsIn(earlier))
  },
  outputOf({ single_turn_questions, multi_turn_questions }, { isRound: _, ...task }) {
    return { ...task, conversations: [...single_turn_questions.map(one => [one]), ...multi_turn_questions] }
  },
})

export function faultOfQuestions(
  { single_turn_questions, multi_turn_questions }: Questions,
  isRound: boolean,
  known: ReadonlySet<number>,
  asked: readonly string[],
): string | undefined {
  const all: ConversationQuestion[] = [...single_turn_questions, ...multi_turn_questions.flat()]
  if (isRound !== (multi_turn_questions.length === 0))
    return isRound ? 'no conversation was asked for' : 'the conversation is missing'
  return faultOfTurns(all, multi_turn_questions[0]?.[0], known, asked)
}

export function faultOfTurns(
  all: readonly ConversationQuestion[],
  opening: ConversationQuestion | undefined,
  known: ReadonlySet<number>,
  asked: readonly string[],
): string | undefined {
  const strange = all.flatMap(one => one.key_segments).find(key => !known.has(key))
  if (strange !== undefined) return `there is no stretch ${strange}`
  const lone = all.find(one => one.difficulty >= 3 && new Set(one.modalities).size < 2)
  if (lone) return `"${lone.question}" has difficulty ${lone.difficulty} and needs two modalities`
  if (opening && opening.conversation_role !== 'opener') return 'a conversation must begin with its opener'
  const texts = [...asked, ...all.map(one => one.question)].map(text => text.toLowerCase())
  const again = texts.find((text, at) => texts.indexOf(text) < at)
  return again && `"${again}" is asked twice`
}

function allowedTasks({ tasks }: LongshotSettings): [name: string, meaning: string][] {
  return Object.entries(catalogue.tasks).filter(([name]) => tasks === 'all' || !catalogue.leftOut.includes(name))
}

function turnsIn(earlier: readonly AskedTask[]): ConversationQuestion[] {
  return earlier.flatMap(({ conversations }) => conversations.flat())
}

export function questionsIn(earlier: readonly AskedTask[]): string[] {
  return turnsIn(earlier).map(({ question }) => question)
}

export function segmentIds({ segments }: SourceRecord): Set<number> {
  return new Set(segments.map(({ segment_index }) => segment_index))
}

// Why scenarios do not fit: they name what the record does not hold.
export function strangeScenario(scenarios: readonly string[], { segments }: SourceRecord): string | undefined {
  const texts = segments.map(({ multimodal_description }) => multimodal_description)
  const strange = scenarios.flatMap(scenario => findUngrounded(scenario, texts))
  return strange.length > 0 ? `the record does not hold ${strange.join(', ')}` : undefined
}

export function recordText({ segments }: SourceRecord): string {
  const lines = segments.flatMap(({ segment_index, temporal: { start, end }, multimodal_description, key_events }) => [
    `${segment_index}. ${formatTime(start)}-${formatTime(end)} ${multimodal_description}`,
    ...key_events.map(event => ` - ${event}`),
  ])
  return fence('record', lines.join('\n'))
}
