import type { Step } from '../../src/core/agent.ts'
import { plainArguments } from '../../src/core/calls/plain-arguments.ts'
import { prepareArguments } from '../../src/core/calls/repair-arguments.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { contentHash } from '../../src/core/json.ts'
import type { AgentSession } from '../session.ts'

// What makes two calls equal: the tool and its arguments as they are run.
export function callKey(tool: string, input: unknown): string {
  return contentHash([tool, input])
}

export function stepsByCall(steps: readonly Step[]): Map<string, Step> {
  const run = steps.filter(({ outcome }) => outcome === 'found' || outcome === 'nothing')
  return new Map(run.map(step => [callKey(step.tool, step.input), step]))
}

// Calls of the code's own that equal no earlier call and none beside them.
export function withoutEqualCalls(
  { parts }: AgentSession,
  steps: readonly Step[],
  calls: readonly ToolCall[],
): ToolCall[] {
  const seen = new Set(stepsByCall(steps).keys())
  return calls.filter(call => {
    const tool = parts.tools.find(one => one.name === call.name)
    const plain = plainArguments(call.arguments)
    if (!tool || tool.varies || 'refusal' in plain) return true
    const prepared = prepareArguments(tool, plain.value, parts.index.video.duration)
    if ('refusal' in prepared) return true
    const key = callKey(tool.name, prepared.input)
    return seen.has(key) ? false : seen.add(key)
  })
}
