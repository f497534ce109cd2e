import type { AgentState, StopReason } from '../src/core/agent.ts'
import type { EarlierTurn } from '../src/core/brief.ts'
import {
  addUsage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  emptyUsage,
  textOf,
  type Usage,
} from '../src/core/chat.ts'
import type { Evidence } from '../src/core/evidence.ts'
import { type Linked, untilAborted, withDeadline } from '../src/core/signals.ts'
import type { ToolContext } from '../src/core/tool.ts'
import { draftTokens } from './draft-tokens.ts'
import type { RunState } from './nodes/run-state.ts'
import type { InvestigateParts } from './parts.ts'

// What one run keeps beside its plain-JSON state: the clock, the ledger by id, what models and tools spent, what failed.
export class Session {
  readonly parts: InvestigateParts
  readonly ledger = new Map<string, Evidence>()
  readonly context: ToolContext
  readonly turns: EarlierTurn[]
  readonly failures: string[]
  // Ends with the time budget as well as with the caller's signal.
  readonly signal: AbortSignal
  private readonly deadline: Linked
  private readonly started = performance.now()
  private readonly before: Usage
  private spent: Usage = emptyUsage

  constructor(parts: InvestigateParts) {
    this.parts = parts
    const from = parts.from ?? parts.resume?.agent
    this.failures = [...(parts.resume?.failures ?? [])]
    this.before = from?.spent ?? emptyUsage
    const left = Math.max(0, parts.budget.seconds - this.before.seconds)
    this.deadline = withDeadline(left, parts.signal)
    this.signal = this.deadline.signal
    for (const row of from?.evidence ?? []) this.ledger.set(row.id, row)
    // What earlier turns rest on can be cited again.
    for (const row of (parts.turns ?? from?.turns ?? []).flatMap(turn => turn.evidence ?? []))
      this.ledger.set(row.id, row)
    this.context = {
      ...parts.context,
      evidence: id => this.ledger.get(id) ?? parts.context.evidence(id),
      spend: usage => {
        this.spend(usage)
        parts.context.spend(usage)
      },
      signal: this.signal,
    }
    this.turns = earlierTurns(parts)
  }

  close(): void {
    this.deadline.clear()
  }

  elapsed(): number {
    return this.before.seconds + (performance.now() - this.started) / 1000
  }

  usage(): Usage {
    return { ...addUsage(this.before, this.spent), seconds: this.elapsed() }
  }

  spend(usage: Partial<Usage>): void {
    this.spent = addUsage(this.spent, { ...usage, seconds: 0 })
  }

  // Rows that the ledger did not have yet are announced and kept.
  learn(rows: readonly Evidence[]): Evidence[] {
    const fresh = rows.filter(row => !this.ledger.has(row.id))
    for (const row of fresh) {
      if (this.ledger.has(row.id)) continue
      this.ledger.set(row.id, row)
      this.parts.watch({ type: 'evidence', evidence: row })
    }
    return fresh
  }

  async ask(model: ChatModel, request: ChatRequest): Promise<ChatReply> {
    this.signal.throwIfAborted()
    const onText =
      request.purpose === 'write' ? draftTokens(text => this.parts.watch({ type: 'token', text })) : undefined
    const reply = await untilAborted(model.reply(request, this.signal, onText), this.signal)
    const guess = (characters: number) => (model.accepts.has('text') ? Math.ceil(characters / 4) : 0)
    this.spend({
      calls: 1,
      inputTokens: reply.usage.inputTokens || guess(sizeOf(request)),
      outputTokens: reply.usage.outputTokens || guess(reply.text.length),
    })
    return reply
  }

  stopped(): StopReason | undefined {
    if (this.parts.signal.aborted) return 'interrupted'
    return this.signal.aborted ? 'seconds' : undefined
  }

  // Nothing is kept once the run is being stopped: it goes on later from before that.
  async keep(node: string, state: RunState): Promise<void> {
    if (!this.parts.signal.aborted) await this.parts.keep?.(node, { ...state, failures: [...this.failures] })
  }

  state(state: AgentState, change: Partial<AgentState>): AgentState {
    return { ...state, ...change, evidence: [...this.ledger.values()], spent: this.usage() }
  }
}

// Counted where a server does not say how many tokens it read. Rule-based models read briefs, not text, and spend none.
function sizeOf(request: ChatRequest): number {
  return request.messages.reduce((size, message) => size + textOf(message.content).length, 0)
}

function earlierTurns(parts: InvestigateParts): EarlierTurn[] {
  return (parts.turns ?? (parts.from ?? parts.resume?.agent)?.turns ?? []).map(turn => {
    const ids = turn.answer?.sentences.flatMap(sentence => sentence.cites) ?? []
    const rows = turn.evidence ?? [...new Set(ids)].map(id => parts.context.evidence(id) ?? parts.index.byId(id))
    return {
      question: turn.question,
      answer: turn.answer?.text ?? turn.reference,
      evidence: rows.filter(row => row !== undefined),
    }
  })
}
