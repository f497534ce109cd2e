import type { AgentState, Budget, Sentence, Step, StopReason, Weighed } from '../src/core/agent.ts'
import type { EarlierTurn } from '../src/core/brief.ts'
import {
  addUsage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  emptyUsage,
  type ToolCall,
  textOf,
  type Usage,
} from '../src/core/chat.ts'
import type { Evidence } from '../src/core/evidence.ts'
import { type Linked, untilAborted, withDeadline } from '../src/core/signals.ts'
import type { Services, ToolContext, ToolKind } from '../src/core/tool.ts'
import type { Overview } from '../src/core/video.ts'
import type { Trap } from '../src/text/question/traps.ts'
import { frameGuard } from './calls/frame-guard.ts'
import { draftTokens } from './draft-tokens.ts'
import type { Change, Checked, DraftSentence, Judged, KeptRun, RunState } from './nodes/run-state.ts'
import type { InvestigateParts } from './parts.ts'

// What the code of the agent sees to, whatever its models do: a file in graphs/policies and a line in src/core/settings.ts.
// The nodes ask those that are on, in the order of their lines. Each hook is a place in the loop, in the order of a run.
export interface Policy {
  // What one question may cost; without any a run ends after 64 rounds.
  budget?(given: Budget): Budget
  // overview: what is known before the first call of a model.
  begin?(session: Session): Beginning
  // plan: before the planner is asked. Here and below each id of a call is called once in a run.
  steer?(session: Session, state: RunState): Steering
  // plan: calls that are missing when the planner is ready, beside those that other policies want.
  calls?(session: Session, state: RunState, wanted: readonly ToolCall[]): ToolCall[]
  // act: after the calls of a round.
  rate?(session: Session, agent: AgentState, steps: readonly Step[]): Promise<AgentState>
  // draft: before the writer is asked, and what it is told or not shown.
  weigh?(session: Session, state: RunState): Promise<Weighed>
  write?(session: Session, agent: AgentState): Writing
  // check: one sentence against the rows that it cites. Without any, no sentence is checked.
  judge?(session: Session, agent: AgentState, sentence: DraftSentence): Promise<Judged>
  // check: what is done about sentences that did not hold, and then for those that did; `next` is "plan" to draft once more.
  doubt?(session: Session, state: RunState, checked: Checked, run: RunCalls): Promise<Change & Checked>
  support?(session: Session, checked: Checked, run: RunCalls): Promise<Checked>
  // answer: reasons against taking the question at its word.
  traps?(session: Session): Trap[]
  choose?(session: Session, state: RunState, choosing: Choosing): number | undefined
  correct?(session: Session, state: RunState): Sentence | undefined // said before anything else
  abstain?(session: Session): DraftSentence[] // said where nothing held; without any the nearest rows are quoted
  finish?(session: Session, state: RunState, ending: Ending): Findings
  // How long the parts of a prompt may be, and whether it can be made shorter once more for a model that it was too long for.
  lengths?(session: Session): Lengths
  shorten?(session: Session): boolean
}

export type NamedPolicy = Policy & { name: string }

// Runs calls of the policy that is asked, as one round.
export type RunCalls = (agent: AgentState, calls: readonly ToolCall[], round: number) => Promise<AgentState>

export interface Beginning {
  route?: string
  aspects?: string[]
  hints?: string[] // for the planner
  rows?: Evidence[] // for the ledger
}

export interface Steering {
  overview?: Overview // in the prompt
  hints?: string[]
  calls?: ToolCall[] // beside those of the planner
  stuck?: boolean // the planner is not asked any more
}

export interface Writing {
  hints?: string[]
  aside?: ReadonlySet<string> // rows that nobody is to write from
}

export interface Choosing {
  written?: number // the writer's option, where it can be true
  traps: readonly Trap[]
  impossible: readonly number[]
  held: readonly Sentence[]
}

export interface Ending {
  held: readonly Sentence[]
  abstained: boolean
  choice?: number
}

export interface Findings {
  unknown?: string[]
  degraded?: string[]
  single?: boolean // the main claim has fewer sources than it should
}

// Characters, of one round of results and of the ledger.
export interface Lengths {
  results: number
  ledger: number
}

const endless: Lengths = { results: Number.POSITIVE_INFINITY, ledger: Number.POSITIVE_INFINITY }

export type ModelRole = 'planner' | 'writer' | 'verifier'

// What one run keeps beside its plain-JSON state: the clock, the ledger by id, what models and tools spent, what failed.
export class Session {
  readonly parts: InvestigateParts
  readonly policies: readonly NamedPolicy[]
  readonly services: Services // for tools: the budget of frames holds for them, and what they cost is counted
  promptShare: number // of the usual length, 0 to 1; it falls when a model says that a prompt was too long
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

  constructor(parts: InvestigateParts, policies: readonly NamedPolicy[]) {
    this.parts = parts
    this.policies = policies
    const from = parts.from ?? parts.resume?.agent
    this.promptShare = parts.resume?.promptShare ?? 1
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
    this.services = frameGuard(
      parts.context.services,
      parts.budget.frames,
      () => this.usage().frames,
      reply => this.pay('vision', reply),
    )
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

  // What a reply cost, where a price is set for its role.
  pay(role: ModelRole | 'vision', reply: ChatReply): void {
    const price = this.parts.prices?.[role]
    if (!price) return
    const { inputTokens, outputTokens } = reply.usage
    this.spend({ money: (inputTokens * price.input + outputTokens * price.output) / 1e6 })
  }

  lengths(): Lengths {
    return this.policies.reduce((lengths, policy) => policy.lengths?.(this) ?? lengths, endless)
  }

  // The rows of the ledger with these ids.
  rows(ids: readonly string[]): Evidence[] {
    return ids.flatMap(id => this.ledger.get(id) ?? [])
  }

  kindOf(tool: string): ToolKind | undefined {
    return this.parts.tools.find(one => one.name === tool)?.kind
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
    if (!this.parts.signal.aborted) await this.parts.keep?.(node, this.kept(state))
  }

  private kept(state: RunState): KeptRun {
    return { ...state, failures: [...this.failures], promptShare: this.promptShare }
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
