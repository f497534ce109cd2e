import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { CheckBrief, PlanBrief, WriteBrief } from '../../src/core/brief.ts'
import type { ChatModel, ChatReply, ChatRequest, ToolCall } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'

const Settings = z.strictObject({})

// A planner, writer and verifier without a model: deterministic rules over the briefs, at no cost.
export default {
  summary: 'fixed rules instead of a language model: finds, quotes and counts; needs nothing',
  version: '1',
  standIn: true,
  purposes: ['plan', 'write', 'check', 'probe'],
  selfContained: true,
  settings: Settings,
  async open(): Promise<ChatModel> {
    return {
      id: 'chat/rules',
      accepts: new Set(), // it reads only briefs
      async reply(request, signal, onText) {
        signal.throwIfAborted()
        const reply = await answer(request)
        // Streams sentence by sentence, as a model would.
        if (onText) for (const piece of reply.text.match(/.+?(?:\},|$)/gs) ?? []) onText(piece)
        return reply
      },
    }
  },
} satisfies Backend<ChatModel, z.infer<typeof Settings>>

// The rules load lazily: every command checks which backends are ready, and most never ask this one.
async function answer(request: ChatRequest): Promise<ChatReply> {
  const brief = bounded(request.brief)
  const kind = (brief as { kind?: string } | undefined)?.kind
  if (request.purpose === 'plan' && kind === 'plan')
    return planned((await import('./rules/plan.ts')).planCalls(PlanBrief.parse(brief)))
  if (request.purpose === 'write' && kind === 'write')
    return ruleReply(JSON.stringify((await import('./rules/write.ts')).writeDraft(WriteBrief.parse(brief))))
  if (request.purpose === 'check' && kind === 'check')
    return ruleReply(JSON.stringify((await import('./rules/check.ts')).checkClaim(CheckBrief.parse(brief))))
  if (request.purpose === 'probe') return ruleReply('ready')
  throw new UsageError(`The rule-based chat model cannot ${request.purpose}.`, {
    hint: 'Set a language model for this role, for example with an Ollama or OpenAI-compatible server.',
  })
}

const maxCharacters = 2000 // characters of a question or a row; the patterns below see no more

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, maxCharacters)
  if (Array.isArray(value)) return value.map(bounded)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bounded(item)]))
}

function planned(calls: ToolCall[]): ChatReply {
  return { ...ruleReply(calls.length > 0 ? '' : 'READY'), calls, stop: calls.length > 0 ? 'calls' : 'end' }
}

function ruleReply(text: string): ChatReply {
  return { text, calls: [], stop: 'end', usage: { inputTokens: 0, outputTokens: 0 }, model: 'rules' }
}
