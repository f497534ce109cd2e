import { permissionGuard } from '../../../src/core/calls/permission-guard.ts'
import { plainArguments, shownArguments } from '../../../src/core/calls/plain-arguments.ts'
import { prepareArguments } from '../../../src/core/calls/repair-arguments.ts'
import { toolCard } from '../../../src/core/calls/tool-card.ts'
import type { Tool } from '../../../src/core/tool.ts'
import { runMemory } from '../../../src/runtime/tools/memory.ts'
import { toolFiles } from '../../../tools/index.ts'
import { handMadeContext, handMadeIndex } from '../../agent/hand-made-index.ts'
import { museum } from '../../agent/museum.ts'
import { dictionary, toolArguments } from '../dictionary.ts'
import { mutateJson } from '../mutate/json.ts'
import { areTexts, promise, type Target } from '../target.ts'

// The sandbox of execute_code has its own tests; here the permission for it is not given, and that is checked.
const index = handMadeIndex(museum)
const loaded = new Map<string, Tool>()
const memory = runMemory()

const toolCalls: Target = {
  name: 'tool-calls',
  summary: 'calls of tools, as a model sends them: names, arguments, and what the tools make of them',
  guided: /src\/core\/calls\/|^file:.*\/tools\//,
  seeds: async () => calls.map(call => Buffer.from(JSON.stringify(call))),
  mutate: (input, draw, other) => mutateJson(input, draw, other, words),
  async run(input) {
    const { name, given } = callIn(input.toString('utf8'))
    const tool = await toolOf(name)
    shownArguments(given)
    if (!tool || permissionGuard(tool, new Set())) return
    const plain = plainArguments(given)
    if ('refusal' in plain) return
    const prepared = prepareArguments(tool, plain.value, index.video.duration)
    promise(areTexts(prepared.notes), 'notes are texts')
    if ('refusal' in prepared) return promise(prepared.refusal.includes(name), 'a refusal names the tool')
    await run(tool, prepared.input)
  },
}

export default toolCalls

async function run(tool: Tool, input: unknown): Promise<void> {
  const context = { ...handMadeContext(index), memory, round: 0 }
  const result = await tool.run(input, context)
  for (const row of result.evidence) {
    const { start, end } = row.span
    promise(
      start >= 0 && end >= start && end <= index.video.duration + 0.001,
      `rows lie in the video: ${start} to ${end}`,
    )
    promise(context.evidence(row.id) !== undefined, 'a row that is found is known')
  }
  promise(result.text === undefined || typeof result.text === 'string', 'a text is a text')
  promise((result.text ?? '').length < 500_000, 'a text is of bounded length')
  promise(memory.search('').length <= 200, 'memory is bounded')
}

async function toolOf(name: string): Promise<Tool | undefined> {
  const load = Object.hasOwn(toolFiles, name) ? toolFiles[name] : undefined
  const loadedTool = loaded.get(name)
  if (!load || loadedTool) return loadedTool
  const { default: tool } = await load()
  toolCard(tool)
  loaded.set(name, tool)
  return tool
}

function callIn(text: string): { name: string; given: unknown } {
  try {
    const value = JSON.parse(text)
    return { name: String(value.name), given: value.arguments }
  } catch {
    // A reply that is not JSON reaches a tool as its one text.
    return { name: 'search', given: text }
  }
}

const calls = [
  ...Object.keys(toolFiles).map(name => ({ name, arguments: toolArguments })),
  { name: 'search', arguments: '{"query":"falcon"}' },
  { name: 'timeline', arguments: { time_range: '0:10-0:20', modality: 'audio,ocr' } },
  { name: 'calculator', arguments: { expression: 'mean([1,2,3]) + sqrt(16) % 5!' } },
]
const words = [...Object.keys(toolArguments), ...dictionary['tool-calls']]
