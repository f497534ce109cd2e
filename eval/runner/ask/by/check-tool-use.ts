import { UsageError } from '../../../../src/core/errors.ts'
import { builtIn, listPermissions } from '../../../../src/runtime/tools/toolbox.ts'
import type { BenchParts } from '../../bench-parts.ts'

// The calls of an agent that lacks the tools which the data expect are wrong before it begins.
export function checkToolUse(
  { benchmark: { toolUse }, tasks, collected, settings }: BenchParts,
  there: readonly { name: string }[],
): void {
  if (!toolUse || !tasks.has(toolUse.task)) return
  const expected = new Set(collected.samples.flatMap(sample => toolUse.expected(sample)))
  const names = new Set(there.map(tool => tool.name))
  const otherTools = builtIn({ ...settings.tools, sets: toolUse.set }, listPermissions(settings))
  const missing = otherTools.filter(name => expected.has(name) && !names.has(name))
  if (missing.length === 0) return
  const firstMissing = missing.slice(0, 5).join(', ')
  throw new UsageError(
    `The task "${toolUse.task}" expects calls of ${firstMissing}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}, which the agent does not have.`,
    { hint: `Give it the tools with --set tools.sets=${toolUse.set}, or leave the task out with --task.` },
  )
}
