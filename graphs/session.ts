import type { Question, RunEvent, Sentence, Weighed } from '../src/core/agent.ts'
import { untilAborted } from '../src/core/basics/signals.ts'
import type { EarlierTurn } from '../src/core/brief.ts'
import { type ChatModel, type ChatReply, type ChatRequest, contentText, type ToolCall } from '../src/core/chat.ts'
import type { Evidence } from '../src/core/evidence.ts'
import type { Inquiry } from '../src/core/run/checkpoints.ts'
import type { PolicySettings } from '../src/core/settings.ts'
import type { Permission, ToolContext } from '../src/core/tool.ts'
import { draftTokens } from '../src/text/replies/draft-tokens.ts'
import { meteredServices } from './calls/metered-services.ts'
import { Meter } from './meter.ts'
import { type GraphParts, type ModelRole, seesPictures } from './parts.ts'
import type { DraftSentence, Fit, Judged, RunState, Update } from './state.ts'

// What the code of the agent sees to, whatever its models do: a file in graphs/policies and a line in src/core/settings.ts.
// The nodes ask those that are on, in the order of their lines. Each hook is a place in the loop, in the order of a run.
export interface Policy {
  // overview: what is known, and shown, before the first call of a model.
  begin?(session: AgentSession, state: RunState): Beginning
  // plan: before the planner is asked. Here and below each id of a call is called once in a run.
  steer?(session: AgentSession, state: RunState): Steering
  // plan: calls that are missing when the planner is ready, beside those that other policies want.
  calls?(session: AgentSession, state: RunState, wanted: readonly ToolCall[]): ToolCall[]
  // draft: before anything is written.
  weigh?(session: AgentSession, state: RunState): Promise<Weighed>
  // check: one sentence against the rows that it cites. Without any, no sentence is checked.
  judge?(session: AgentSession, sentence: DraftSentence, by: 'verifier' | 'rules'): Promise<Judged>
  // check: once every sentence has its verdict.
  after?(session: AgentSession, state: RunState): Promise<Update>
  // answer: another option than the writer's, where rules wrote.
  choose?(session: AgentSession, state: RunState, choosing: Choosing): number | undefined
  finish?(session: AgentSession, state: RunState, ending: Ending): Findings
}

export type NamedPolicy = Policy & { name: string }

export interface Beginning {
  aspects?: string[]
}

export interface Steering {
  hints?: string[]
  calls?: ToolCall[] // beside those of the planner
  stuck?: boolean // the planner is not asked any more
}

export interface Choosing {
  written?: number // the writer's option
  held: readonly Sentence[]
}

interface Ending {
  held: readonly Sentence[]
  abstained: boolean
  choice?: number
}

interface Findings {
  unknown?: string[]
  degraded?: string[]
  confidence?(own: number): number
}

// What LangGraph gives a node beside the state.
export interface Running {
  writer?: (event: RunEvent) => void
  signal?: AbortSignal
  interrupt?: (inquiry: Inquiry) => unknown
}

// A run while one node works on it: what it knows, what it may spend, what its models take, and what fails. What is new of it
// goes back into the state when the node is done.
export class AgentSession {
  readonly parts: GraphParts & { question: Question; earlier: EarlierTurn[] }
  readonly policies: readonly NamedPolicy[]
  readonly ledger: Ledger
  readonly meter: Meter
  readonly fit: PromptFit
  readonly context: ToolContext & { permissions: Set<Permission> } // for tools: the budget of frames holds, and what they cost is counted
  readonly failures: string[] // for the answer to tell
  private readonly running: Running
  private readonly before: RunState
  private drafted = false

  constructor(parts: GraphParts, policies: readonly NamedPolicy[], state: RunState, running: Running = {}) {
    const { question, turns, evidence, permits } = state
    this.policies = policies
    this.before = state
    this.running = running
    this.failures = [...state.failures]
    this.fit = new PromptFit(state.fit, parts)
    this.meter = new Meter(parts, state.spent, running.signal)
    // What earlier turns rest on can be cited again.
    const rows = [...evidence, ...turns.flatMap(turn => turn.evidence ?? [])]
    this.ledger = new Ledger(rows, row => this.watch({ type: 'evidence', evidence: row }))
    const { context } = parts
    const recordedPermits = parts.strange ? [] : givenPermissions(permits)
    this.context = {
      ...context,
      permissions: new Set([...context.permissions, ...recordedPermits]),
      services: meteredServices(context.services, this.meter),
      evidence: id => this.ledger.get(id) ?? context.evidence(id),
      spend: usage => {
        this.meter.spend(usage)
        context.spend(usage)
      },
      framesLeft: () => this.meter.framesLeft(),
      signal: this.meter.signal,
    }
    const rowOf = (id: string) => this.context.evidence(id) ?? parts.index.byId(id)
    const earlier = turns.map(({ question, answer, reference, evidence }): EarlierTurn => {
      const ids = answer?.sentences.flatMap(sentence => sentence.cites) ?? []
      return {
        question,
        answer: answer?.text ?? reference,
        evidence: evidence ?? [...new Set(ids)].map(rowOf).filter(row => row !== undefined),
      }
    })
    this.parts = { ...parts, question, earlier }
  }

  watch(event: RunEvent): void {
    this.running.writer?.(event)
  }

  // What a person says to it; undefined if there is nobody to ask. The node is left, and begins anew with the answer.
  inquire(inquiry: Inquiry): unknown {
    const personReply = this.parts.inquires ? this.running.interrupt?.(inquiry) : undefined
    return personReply && typeof personReply === 'object' && 'answer' in personReply ? personReply.answer : personReply
  }

  async ask(role: ModelRole, model: ChatModel, request: ChatRequest): Promise<ChatReply> {
    const { signal } = this.meter
    signal.throwIfAborted()
    const onText = request.purpose === 'write' ? this.drafting() : undefined
    const reply = await untilAborted(model.reply(request, signal, onText), signal).catch(error => {
      this.meter.payFailure(role, error)
      throw error
    })
    this.meter.pay(role, reply)
    const guess = (characters: number) => (model.accepts.has('text') ? Math.ceil(characters / 4) : 0)
    this.meter.spend({
      calls: 1,
      inputTokens: reply.usage.inputTokens || guess(measureSize(request)),
      outputTokens: reply.usage.outputTokens || guess(reply.text.length),
    })
    return reply
  }

  // A writer that is asked again in the same step does not run into what it wrote before.
  private drafting(): (piece: string) => void {
    let before = this.drafted ? '\n' : ''
    return draftTokens(text => {
      this.drafted = true
      this.watch({ type: 'token', text: before + text })
      before = ''
    })
  }

  // The state as it is by now.
  now(state: RunState): RunState {
    return { ...state, evidence: this.ledger.all(), spent: this.meter.usage() }
  }

  // What is new since the node began.
  news(): Update {
    const { evidence, fit, failures } = this.before
    const knownIds = new Set(evidence.map(row => row.id))
    const rows = this.ledger.all().filter(row => !knownIds.has(row.id))
    const failed = this.failures.slice(failures.length)
    return {
      spent: this.meter.news(),
      ...(rows.length > 0 && { evidence: rows }),
      ...(failed.length > 0 && { failures: failed }),
      ...(!this.fit.equals(fit) && { fit: this.fit.plain() }),
      ...(this.meter.halted && { halted: true }),
    }
  }
}

const leastShare = 1 / 16 // of the usual length of a prompt

// How much of a prompt the planner takes, as its replies taught.
class PromptFit {
  share: number
  picturesGone: number
  blind: boolean
  picturesShown = 0 // in the last prompt
  private readonly parts: Pick<GraphParts, 'policy' | 'planner' | 'context'>

  constructor({ share, picturesGone, blind }: Fit, parts: PromptFit['parts']) {
    this.share = share
    this.picturesGone = picturesGone
    this.blind = blind
    this.parts = parts
  }

  // Whether pictures can be put before the planner.
  get sees(): boolean {
    return seesPictures(this.parts) && !this.blind
  }

  // Characters, of one round of results and of the ledger.
  characters(of: 'results' | 'ledger'): number {
    const { compaction, resultCharacters, ledgerCharacters }: PolicySettings = this.parts.policy
    if (!compaction) return Number.POSITIVE_INFINITY
    return (of === 'results' ? resultCharacters : ledgerCharacters) * this.share
  }

  // For a prompt that a model says is too long: first the older half of its pictures goes; when none is left its words are halved.
  shorten(): boolean {
    if (!this.parts.policy.compaction) return false
    if (this.picturesShown > 0) this.picturesGone += Math.ceil(this.picturesShown / 2)
    else if (this.share > leastShare) this.share /= 2
    else return false
    return true
  }

  plain(): Fit {
    return { share: this.share, picturesGone: this.picturesGone, blind: this.blind }
  }

  equals(fit: Fit): boolean {
    return fit.share === this.share && fit.picturesGone === this.picturesGone && fit.blind === this.blind
  }
}

// Counted where a server does not say how many tokens it read. Rule-based models read briefs, not text, and spend none.
function measureSize(request: ChatRequest): number {
  return request.messages.reduce((size, message) => size + contentText(message.content).length, 0)
}

export function givenPermissions(permits: RunState['permits']): Permission[] {
  return (Object.keys(permits) as Permission[]).filter(name => permits[name])
}

// Every row that a run has seen, by its id. What it did not have yet is announced.
class Ledger extends Map<string, Evidence> {
  private readonly announce: (row: Evidence) => void

  constructor(known: readonly Evidence[], announce: (row: Evidence) => void) {
    super(known.map(row => [row.id, row]))
    this.announce = announce
  }

  all(): Evidence[] {
    return [...this.values()]
  }

  rows(ids: readonly string[]): Evidence[] {
    return ids.flatMap(id => this.get(id) ?? [])
  }

  learn(rows: readonly Evidence[]): Evidence[] {
    const fresh = rows.filter(row => !this.has(row.id))
    for (const row of fresh) {
      if (this.has(row.id)) continue
      this.set(row.id, row)
      this.announce(row)
    }
    return fresh
  }
}
