import type { AgentState } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { PolicyName } from '../../src/core/settings.ts'

// What travels between the nodes: the agent's state, and what the next node is to do. Plain JSON.
export interface RunState {
  agent: AgentState
  round: number // rounds of tool calls that were run
  calls: ToolCall[]
  hints: string[]
  draft?: Draft
  dropped: string[]
  secondLooks: number
  idle: number // replies without a usable call or a word
  forced: string[] // calls that policies had made: each is made once
  next: 'overview' | 'plan' | 'act' | 'draft' | 'check' | 'answer'
}

// As it is written down: with what the session keeps beside it.
export interface KeptRun extends RunState {
  failures?: string[]
  promptShare?: number
}

export type Change = Partial<RunState>

// What a step says of itself when a policy called for it.
export const madeByPolicy = 'A policy of the agent made this call.'

// A run of an older version named the policy of a call in the id of the call.
export function withMakers(run: KeptRun): RunState {
  if (run.promptShare !== undefined) return run
  const makers = Object.entries(makersBefore)
  const calls = run.calls.map(call => {
    const by = makers.find(([prefix]) => call.id.startsWith(prefix))?.[1]
    return by ? { ...call, by } : call
  })
  return { ...run, calls }
}

const makersBefore: Record<string, PolicyName> = {
  'look-': 'lookBeforeAnswer',
  'scan-': 'exhaustiveScan',
  'aspect-': 'aspectWriter',
  'clue-': 'hypothesisClueVerdict',
  premise: 'trapDetector',
  'recover-': 'noveltyGuard',
  opposite: 'secondLook',
  again: 'secondLook',
  'second-source': 'minimumIndependentEvidence',
}

export type DraftSentence = Draft['sentences'][number]
export type Judged = AgentState['verdicts'][number]

// A draft with a verdict for each of its sentences.
export interface Checked {
  agent: AgentState
  round: number
  draft: Draft
  verdicts: Judged[]
}
