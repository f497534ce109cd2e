import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'

// Who answers the questions of a run. Each has a file in eval/runner/ask/by.
const fixedAskedBy = [
  'longtake', // our agent
  'alone', // models.vision alone, with the frames of the protocol
  'host', // models.planner in the simplest loop, with the tools and the skill that hosts get
] as const
const commandKinds = [
  'acp', // an agent that speaks the Agent Client Protocol
  'mcp-host', // a command that takes an MCP configuration and prints its answer
] as const

export type AskedBy = (typeof fixedAskedBy)[number] | `${(typeof commandKinds)[number]}:${string}`

// In runs and commands of earlier releases.
const earlierNames = new Map([
  ['agent', 'longtake'],
  ['model', 'alone'],
])

// As runs and studies store it.
export const AskedBy = z.string().transform((text, issue): AskedBy => {
  const by = parse(text)
  if (by !== undefined) return by
  issue.addIssue(`"${text}" is nobody who can be asked`)
  return z.NEVER
})

export function readAskedBy(text: string): AskedBy {
  const by = parse(text)
  if (by !== undefined) return by
  throw new UsageError(`--by must name who is asked, not "${text}".`, {
    hint: `Choose one of: ${fixedAskedBy.join(', ')}, acp:COMMAND, mcp-host:COMMAND.`,
  })
}

// A command that a run's folder or a card names may be anybody's: only one that was typed is started.
export function typedOrHarmless(typed: string | undefined, recorded: AskedBy = 'longtake'): AskedBy {
  if (typed !== undefined) return readAskedBy(typed)
  const { kind, command } = splitAskedBy(recorded)
  if (command === undefined) return recorded
  throw new UsageError(`This run asked the command "${command}", and a command is only started if it is typed.`, {
    hint: `If you trust it: longtake bench run, with --by "${kind}:COMMAND".`,
  })
}

function parse(text: string): AskedBy | undefined {
  const current = earlierNames.get(text) ?? text
  const { kind, command } = splitAskedBy(current as AskedBy)
  if (command === undefined) return fixedAskedBy.find(name => name === current)
  return commandKinds.some(name => name === kind) && command.trim() !== '' ? (current as AskedBy) : undefined
}

export type AskedByKind = (typeof fixedAskedBy)[number] | (typeof commandKinds)[number]

export function splitAskedBy(by: AskedBy): { kind: AskedByKind; command?: string } {
  const colon = by.indexOf(':')
  if (colon < 0) return { kind: by as AskedByKind }
  return { kind: by.slice(0, colon) as AskedByKind, command: by.slice(colon + 1) }
}
