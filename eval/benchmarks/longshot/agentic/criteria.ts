import { isObject } from '../../../../src/core/json.ts'
import type { Dict } from '../python-error.ts'
import type { ToolScores } from './tool-calls.ts'

// A tool as tools.json lists it; inputs end in ? or [] where they are optional.
export interface ToolDefinition {
  name: string
  inputs: string[]
}

// The tools of the agentic part by the names and inputs that the paper gives them, in our words.
export const ownTools: (ToolDefinition & { description: string })[] = [
  tool('transcribe_speech', ['timestamp', 'language?'], 'what is said in a part of the video, with times'),
  tool('extract_scene_text', ['timestamp', 'language?'], 'what is written in the picture'),
  tool('count_objects', ['timestamp', 'object_query'], 'how many of something are seen'),
  tool('object_detection', ['timestamp', 'categories[]'], 'which things are seen, and where in the picture'),
  tool('extract_math_exp', ['timestamp', 'language?'], 'formulas that are shown'),
  tool('calculator', ['expression'], 'calculates'),
  tool('web_search', ['query', 'num_results?'], 'searches the web'),
  tool('detect_audio_events', ['timestamp'], 'sounds that are not speech'),
  tool('execute_code', ['code', 'language', 'inputs?'], 'runs code in a sandbox'),
  tool('detect_activities', ['timestamp'], 'what people do'),
  tool('summarize_segment', ['timestamp', 'text', 'length'], 'sums up a part of the video'),
  tool('detect_faces', ['timestamp'], 'who is seen'),
  tool('cross_modal_search', ['query', 'modalities', 'k'], 'finds moments by words, over picture and sound'),
  tool('memory_tool', ['func', 'data'], 'keeps, gives back or forgets something'),
  tool('translate_speech', ['timestamp', 'from_lang', 'to_lang'], 'translates what is said'),
  tool('translate_text', ['text', 'from_lang', 'to_lang'], 'translates a text'),
]

function tool(name: string, inputs: string[], description: string) {
  return { name, inputs, description }
}

export interface ToolCriterion {
  name: string
  description: string
  weight: number
  is_penalty: boolean
}

// The rubric of a turn, made from the calls it expects. Both penalties have a positive weight in the release, so they raise
// only the total: even a perfect turn cannot reach it.
export function toolCriteria(
  expected: readonly unknown[],
  tools: readonly ToolDefinition[] = ownTools,
): ToolCriterion[] {
  if (expected.length === 0) return []
  const names = expected.filter(isObject).map(call => String(call.tool))
  const distinct = [...new Set(names)].sort()
  const parameters = names.map(name => countParameters(name, tools))
  const required = parameters.reduce((sum, count) => sum + count.required, 0)
  const optional = parameters.reduce((sum, count) => sum + count.optional, 0)
  const criterion = (name: string, weight: number, description: string, is_penalty = false) => ({
    name,
    description,
    weight,
    is_penalty,
  })
  const selection = `Must use these tools and no others: ${distinct.join(', ')}.`
  const requiredGiven = `Must give the ${required} required parameters correctly.`
  const optionalGiven = `Gives the ${optional} optional parameters correctly.`
  return [
    criterion('tool_selection_accuracy', distinct.length, selection),
    ...(required > 0 ? [criterion('required_parameter_accuracy', required, requiredGiven)] : []),
    ...(optional > 0 ? [criterion('optional_parameter_precision', optional * 0.25, optionalGiven)] : []),
    criterion('sequence_logic', 1, `Must make its ${names.length} calls in a sensible order.`),
    criterion('efficiency_penalty', 1, `Must not make more than ${names.length} calls.`, true),
    criterion('wrong_tool_call', 2, 'Must not use a tool outside the expected set.', true),
    criterion(finalAnswer.name, 3, finalAnswer.description),
  ]
}

// Arrays, times and languages count as optional.
export function countParameters(
  tool: string,
  tools: readonly ToolDefinition[],
): { required: number; optional: number } {
  const inputs = tools.find(({ name }) => name === tool)?.inputs ?? []
  const optional = inputs.filter(isOptional).length
  return { required: inputs.length - optional, optional }
}

function isOptional(input: string): boolean {
  return input.endsWith('?') || input.endsWith('[]') || input.startsWith('timestamp') || input.startsWith('language')
}

// All of an agentic turn that is left to a judge: the calls are compared.
export const finalAnswer = {
  name: 'final_answer_correctness',
  description: 'Must answer the question fully and correctly from what the tools returned.',
}

interface ToolScore {
  points: number // never below 0
  attainable: number
  parts: Record<string, number>
  full: Record<string, number> // what the parts can reach
}

// Strict scoring of a turn's calls without a judge: tools, parameters and order by comparison, penalties that subtract, and
// a perfect turn reaches everything.
export function scoreToolUse(
  expected: readonly unknown[],
  made: readonly ToolScores[],
  tools: readonly ToolDefinition[] = ownTools,
): ToolScore {
  const expectedDicts = expected.filter(isObject)
  const names = expectedDicts.map(call => String(call.tool))
  const used = made.map(call => String(call.tool))
  const distinct = new Set(names)
  const callPairs = pairs(expectedDicts, made)
  const parts: Record<string, number> = { tools: [...distinct].filter(name => used.includes(name)).length }
  const full: Record<string, number> = { tools: distinct.size }
  for (const [part, weight, optional] of [
    ['required parameters', 1, false],
    ['optional parameters', 0.25, true],
  ] as const) {
    const all = expectedDicts.flatMap(call => listParameters(call, tools, optional).map(name => ({ call, name })))
    parts[part] =
      weight *
      all.filter(({ call, name }) => sameValue(readParameter(call, name), readParameter(callPairs.get(call), name)))
        .length
    full[part] = weight * all.length
  }
  full.order = names.length === 0 ? 0 : 1
  parts.order = names.length === 0 ? 0 : commonSubsequence(names, used) / names.length
  parts['extra calls'] = -Math.min(5, Math.max(0, used.length - names.length))
  parts['wrong tools'] = -2 * used.filter(name => !distinct.has(name)).length
  const sum = (values: Record<string, number>) => Object.values(values).reduce((total, value) => total + value, 0)
  return { points: Math.max(0, sum(parts)), attainable: sum(full), parts, full }
}

// Each expected call with the first made call of its tool that no earlier one has taken.
function pairs(wanted: readonly Dict[], made: readonly ToolScores[]): Map<Dict, Dict> {
  const free = [...made]
  const pairing = new Map<Dict, Dict>()
  for (const call of wanted) {
    const at = free.findIndex(other => other.tool === call.tool)
    if (at >= 0) pairing.set(call, { ...free.splice(at, 1)[0] })
  }
  return pairing
}

// The parameters that the expected call gives and the tool knows.
function listParameters(call: Dict, tools: readonly ToolDefinition[], optional: boolean): string[] {
  const inputs = tools.find(({ name }) => name === call.tool)?.inputs ?? []
  const callParameters = isObject(call.parameters) ? call.parameters : {}
  return inputs
    .filter(input => isOptional(input) === optional)
    .map(input => input.replace(/[?[\]]+$/, ''))
    .filter(name => name in callParameters)
}

function readParameter(call: Dict | undefined, name: string): unknown {
  return call && isObject(call.parameters) ? call.parameters[name] : undefined
}

// Texts are the same but for case and blanks, so that "Red car" is "red car".
function sameValue(wanted: unknown, given: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(value ?? null)
      .toLowerCase()
      .replace(/\s+/g, ' ')
  return given !== undefined && plain(wanted) === plain(given)
}

function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  let last = new Array<number>(b.length + 1).fill(0)
  for (const name of a) {
    const row = [0]
    for (const [j, other] of b.entries()) row.push(name === other ? last[j]! + 1 : Math.max(last[j + 1]!, row[j]!))
    last = row
  }
  return last.at(-1) ?? 0
}
