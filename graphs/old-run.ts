import type { AgentState } from '../src/core/agent.ts'
import type { Draft } from '../src/core/brief.ts'
import type { ToolCall } from '../src/core/chat.ts'
import type { PolicyName } from '../src/core/settings.ts'
import type { Done } from './state.ts'

// The last line of states.jsonl in the folder of a run that began before runs had checkpoints.
export interface OldRun {
  agent: AgentState
  round: number
  calls: ToolCall[]
  hints: string[]
  draft?: Draft
  dropped: string[]
  secondLooks: number
  idle: number
  forced: string[]
  next: string
  failures?: string[]
  promptShare?: number
}

// As a node of today would have left it.
export function ofOldRun({ agent, draft, next, calls, promptShare, ...run }: OldRun): Done {
  const { answer: _, draft: __, ...state } = agent
  // Before there was a promptShare, the policy of a call stood in the id of the call.
  const named = promptShare === undefined ? calls.map(call => ({ ...call, by: call.by ?? makerOf(call) })) : calls
  return { goto: next, update: { ...state, ...run, written: draft, calls: named, promptShare } }
}

function makerOf({ id }: ToolCall): PolicyName | undefined {
  return Object.entries(makers).find(([prefix]) => id.startsWith(prefix))?.[1]
}

const makers: Record<string, PolicyName> = {
  'look-': 'lookBeforeAnswer',
  'scan-': 'exhaustiveScan',
  'aspect-': 'aspectWriter',
  'clue-': 'hypothesisClueVerdict',
  'recover-': 'noveltyGuard',
}
