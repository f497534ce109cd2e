import { z } from 'zod'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { formatTime } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { shuffle } from '../../../data/deck.ts'
import type { SourceRecord } from '../../../recipes/item.ts'
import type { RulesDraft } from '../../../recipes/rules/draft-by-rules.ts'
import { writingStage } from '../../../recipes/writing-stage.ts'
import { ownTools } from '../agentic/criteria.ts'
import {
  type AskedTask,
  faultOfTurns,
  isAgentic,
  type LongshotSettings,
  questionsIn,
  recordText,
  segmentIds,
  strangeScenario,
  TurnQuestion,
} from './ask.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import { type ExpectedCall, faultOfCalls, fittingTools, withReply } from './expected-calls.ts'
import prompts from './prompts.json' with { type: 'json' }

export const mostTurns = 3 // of a dialogue

const Call = z.strictObject({
  tool: z.enum(ownTools.map(({ name }) => name)),
  parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })).max(5),
  response: z.string(),
})
const Dialogue = z.strictObject({
  scenario: z.string(),
  turns: z
    .array(TurnQuestion.extend({ conversation_role: z.enum(catalogue.roles), calls: z.array(Call).min(1).max(5) }))
    .max(mostTurns),
})
type Dialogue = z.infer<typeof Dialogue>

// The agentic part: dialogues over the tools, each about another of the sixteen, with the calls that lead to each answer.
export const dialogues = writingStage<LongshotSettings, string, Dialogue, AskedTask>({
  name: 'dialogues',
  ...prompts.dialogues,
  shape: Dialogue,
  most: settings => (isAgentic(settings) ? settings.dialogues : 0),
  inputs: (record, _, settings, seed) =>
    isAgentic(settings)
      ? shuffle(fittingTools(record), drawFor(seed, 'dialogues', record.video_id))
          .slice(0, settings.dialogues)
          .map(tool => ({ unit: `${record.video_id}_${tool}`, input: tool }))
      : [],
  text: (tool, { record, earlier }) => [
    `The tool of this dialogue: ${tool}`,
    'Tools, each with its inputs and what it returns:',
    ...ownTools.map(
      ({ name, inputs, description }) =>
        `${name}(${inputs.join(', ')}): ${description}; returns ${catalogue.toolReplies[name as keyof typeof catalogue.toolReplies]}`,
    ),
    ...(earlier.length > 0 ? ['Already asked:', fence('questions', questionsIn(earlier).join('\n'))] : []),
    recordText(record),
  ],
  faultOf: (reply, tool, { record, earlier }) => faultOfDialogue(reply, tool, record, questionsIn(earlier)),
  outputOf({ scenario, turns }, _, task_id, record) {
    const conversation = turns.map(({ calls, ...question }) => ({
      ...question,
      tool_calls: calls.map(call => withReply(expectedCall(call), record)),
    }))
    const about = { scenario, scenario_id: task_id, task: catalogue.agenticTask, task_id, question_types: [] }
    return { ...about, conversations: conversation.length > 0 ? [conversation] : [] }
  },
})

export function faultOfDialogue(
  { scenario, turns }: Dialogue,
  tool: string,
  record: SourceRecord,
  asked: readonly string[],
): string | undefined {
  if (turns.length === 0) return undefined
  const strange = strangeScenario([scenario], record)
  if (strange !== undefined) return strange
  if (!turns.some(({ calls }) => calls.some(call => call.tool === tool))) return `no turn calls ${tool}`
  for (const { question, calls, key_segments } of turns) {
    const plainQuestion = question.toLowerCase().replaceAll('_', ' ')
    const named = ownTools.find(({ name }) => plainQuestion.includes(name.replaceAll('_', ' ')))
    if (named) return `the question names the tool ${named.name}`
    const fault = faultOfCalls(calls.map(expectedCall), key_segments, record)
    if (fault !== undefined) return fault
  }
  return faultOfTurns(turns, turns[0], segmentIds(record), asked)
}

// Counts and sizes are numbers, and inputs that end in [] are lists.
function expectedCall({ tool, parameters, response }: z.infer<typeof Call>): ExpectedCall {
  const inputs: string[] = ownTools.find(({ name }) => name === tool)?.inputs ?? []
  const typed = (name: string, value: string) => {
    if (inputs.includes(`${name}[]`)) return value.split(',').map(one => one.trim())
    return ['k', 'num_results'].includes(name) && Number.isFinite(Number(value)) ? Number(value) : value
  }
  const values = Object.fromEntries(parameters.map(({ name, value }) => [name, typed(name, value)]))
  return { tool, parameters: values, expected_response: response }
}

const readers: Record<string, string> = { speech: 'transcribe_speech', text: 'extract_scene_text' }

// By rules: the rows that a question rests on are found by its words, then read one after another.
export function callsByRules({ rows, extra }: RulesDraft, record: SourceRecord): ExpectedCall[] {
  const cited = record.rows.filter(row => rows.includes(row.id) && row.track in readers).slice(0, 4)
  const timestamps = cited.map(({ span }) => `${formatTime(span.start)}-${formatTime(Math.ceil(span.end))}`)
  const slots = Object.values((extra.slots ?? {}) as Record<string, string>).filter(value => value.length > 3)
  const modalities = [...new Set(cited.map(({ track }) => track))].join(', ')
  const search: ExpectedCall = {
    tool: 'cross_modal_search',
    parameters: { query: slots.join(' '), modalities, k: 5 },
    expected_response: JSON.stringify(
      cited.map(({ text }, at) => ({ timestamp: timestamps[at], results: text.slice(0, 200) })),
    ),
  }
  const reads = cited.map(({ track }, at) => {
    const call = { tool: readers[track] ?? '', parameters: { timestamp: timestamps[at] }, expected_response: '' }
    return withReply(call, record)
  })
  return slots.length > 0 ? [search, ...reads] : reads
}
