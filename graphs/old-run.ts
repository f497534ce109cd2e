import type { AgentState } from '../src/core/agent.ts'
import type { Draft } from '../src/core/brief.ts'
import type { ToolCall } from '../src/core/chat.ts'
import type { PolicyName } from '../src/core/settings.ts'
import { buildHint, type Done, type RunMessage } from './state.ts'

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
export function ofOldRun({
  agent,
  draft,
  next,
  calls,
  promptShare,
  round,
  hints,
  forced,
  failures = [],
}: OldRun): Done {
  const { answer: _, draft: __, ...state } = agent
  // Before there was a promptShare, the policy of a call stood in the id of the call.
  const named = promptShare === undefined ? calls.map(call => ({ ...call, by: call.by ?? findMaker(call) })) : calls
  const fit = { share: promptShare ?? 1, picturesGone: 0, blind: false }
  const messages = hints.map(buildHint)
  return { goto: next, update: { ...state, round, forced, failures, messages, fit, written: draft, calls: named } }
}

// What was kept apart before the messages of a run were one list.
interface OldValues {
  replies?: { before: string; text: string; calls: ToolCall[]; round?: number; response?: string }[]
  opening?: string[]
  hints?: string[]
  given?: Omit<Draft, 'sentences'> & { claims: Draft['sentences']; unanswered: string[] }
  promptShare?: number
  picturesGone?: number
  blind?: boolean
}

// The values of a checkpoint of an older version as they are kept today.
export function readOldValues(values: Record<string, unknown> & OldValues): Record<string, unknown> {
  if (values.messages !== undefined || values.promptShare === undefined) return values
  const {
    replies = [],
    opening = [],
    hints = [],
    given,
    promptShare,
    picturesGone = 0,
    blind = false,
    ...rest
  } = values
  const messages: RunMessage[] = [
    ...(opening.length > 0 ? [{ by: 'code' as const, about: 'opening' as const, text: '', frames: opening }] : []),
    ...replies.flatMap(({ before, text, calls, round, response }): RunMessage[] => {
      const isReply = text !== '' || calls.length > 0
      return [
        ...(before === '' ? [] : [{ by: 'code' as const, about: 'budget' as const, text: before }]),
        ...(isReply ? [{ by: 'model' as const, text, calls, ...(round !== undefined && { round }) }] : []),
        ...(response === undefined
          ? []
          : [{ by: 'code' as const, about: isReply ? ('form' as const) : ('doubt' as const), text: response }]),
      ]
    }),
    ...hints.map(buildHint),
  ]
  const { claims, unanswered, ...answer } = given ?? { claims: [], unanswered: [] }
  return {
    ...rest,
    ...(given && { written: { ...answer, sentences: claims, unknown: unanswered } }),
    messages,
    fit: { share: promptShare, picturesGone, blind },
  }
}

function findMaker({ id }: ToolCall): PolicyName | undefined {
  return Object.entries(makers).find(([prefix]) => id.startsWith(prefix))?.[1]
}

const makers: Record<string, PolicyName> = {
  'look-': 'lookBeforeAnswer',
  'scan-': 'exhaustiveScan',
  'aspect-': 'aspectWriter',
  'clue-': 'hypothesisClueVerdict',
  'recover-': 'noveltyGuard',
}
