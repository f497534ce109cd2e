import type { Budget, Question, RunEvent, Sentence, StopReason, Turn, Weighed } from '../src/core/agent.ts'
import { type LinkedSignal, linked, untilAborted, withDeadline } from '../src/core/basics/signals.ts'
import type { EarlierTurn } from '../src/core/brief.ts'
import {
  addUsage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  contentText,
  emptyUsage,
  type ToolCall,
  type Usage,
} from '../src/core/chat.ts'
import type { Evidence } from '../src/core/evidence.ts'
import type { Inquiry } from '../src/core/run/checkpoints.ts'
import type { Permission, ToolContext, ToolKind, ToolServices } from '../src/core/tool.ts'
import { draftTokens } from '../src/text/replies/draft-tokens.ts'
import { frameGuard, overFrames } from './calls/frame-guard.ts'
import { paidServices } from './calls/paid-services.ts'
import type { GraphParts } from './parts.ts'
import type { DraftSentence, Judged, RunState, Update } from './state.ts'

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

export interface Ending {
  held: readonly Sentence[]
  abstained: boolean
  choice?: number
}

export interface Findings {
  unknown?: string[]
  degraded?: string[]
  confidence?(own: number): number
}

// Characters, of one round of results and of the ledger; and how long pictures stay.
export interface Lengths {
  results: number
  ledger: number
  pictureRounds: number // rounds after which a picture is not shown any more
}

const leastShare = 1 / 16 // of the usual length of a prompt

const { POSITIVE_INFINITY: ever } = Number
const endless: Lengths = { results: ever, ledger: ever, pictureRounds: ever }

export type ModelRole = 'planner' | 'writer' | 'verifier' | 'rules'

// What LangGraph gives a node beside the state.
export interface Running {
  writer?: (event: RunEvent) => void
  signal?: AbortSignal
  interrupt?: (inquiry: Inquiry) => unknown
}

// The state of a run while one node works on it: the ledger by id, the clock, what models and tools spend, what fails. What is
// new of it goes back into the state when the node is done.
export class AgentSession {
  readonly parts: GraphParts & { question: Question; turns: Turn[] }
  readonly policies: readonly NamedPolicy[]
  readonly services: ToolServices // for tools: the budget of frames holds for them, and what they cost is counted
  promptShare: number
  picturesGone: number // of the oldest pictures of the run: no longer before the planner
  picturesShown: number[] = [] // in the last prompt, by their places among all pictures of the run
  blind: boolean // the model of the planner has refused pictures
  readonly ledger = new Map<string, Evidence>()
  readonly context: ToolContext
  readonly turns: EarlierTurn[]
  readonly failures: string[]
  readonly aside: Budget[] = [] // of helpers that are at work
  // Ends with the time budget as well as with the caller's signal.
  readonly signal: AbortSignal
  private readonly permissions: Set<Permission>
  private readonly caller: LinkedSignal
  private readonly deadline: LinkedSignal
  private readonly running: Running
  private readonly started = performance.now()
  private readonly before: RunState
  private spent: Usage = emptyUsage
  private drafted = false

  constructor(parts: GraphParts, policies: readonly NamedPolicy[], state: RunState, running: Running = {}) {
    const { question, turns } = state
    this.parts = { ...parts, question, turns }
    this.policies = policies
    this.before = state
    this.running = running
    this.promptShare = state.promptShare
    this.picturesGone = state.picturesGone
    this.blind = state.blind
    this.failures = [...state.failures]
    const recordedPermits = parts.strange ? [] : permitted(state.permits)
    this.permissions = new Set([...parts.context.permissions, ...recordedPermits])
    this.caller = linked(parts.signal, running.signal)
    const secondsLeft = parts.budget.seconds - state.spent.seconds
    this.deadline = withDeadline(Math.max(0, secondsLeft), this.caller.signal)
    if (secondsLeft <= 0) this.deadline.abort(new DOMException('The time is up.', 'TimeoutError'))
    this.signal = this.deadline.signal
    for (const row of state.evidence) this.ledger.set(row.id, row)
    // What earlier turns rest on can be cited again.
    for (const row of turns.flatMap(turn => turn.evidence ?? [])) this.ledger.set(row.id, row)
    this.context = {
      ...parts.context,
      permissions: this.permissions,
      evidence: id => this.ledger.get(id) ?? parts.context.evidence(id),
      spend: usage => {
        this.spend(usage)
        parts.context.spend(usage)
      },
      framesLeft: () => this.framesLeft(),
      signal: this.signal,
    }
    const paid = paidServices(parts.context.services, (role, reply) => this.pay(role, reply))
    this.services = frameGuard(paid, parts.budget.frames, () => this.framesGone())
    this.turns = earlierTurns(this.parts)
  }

  // Whether pictures can be put before the planner.
  get sees(): boolean {
    return seesPictures(this.parts) && !this.blind
  }

  // The older half of the pictures in the prompt goes; false where there is none.
  dropPictures(): boolean {
    const [last] = this.picturesShown.slice(0, Math.ceil(this.picturesShown.length / 2)).slice(-1)
    if (last === undefined) return false
    this.picturesGone = last + 1
    return true
  }

  // Frames that the planner is shown count like those of any other model: once, however long they stand in its prompt.
  takeFrames(count: number): void {
    const framesLeft = this.framesLeft()
    if (count > framesLeft) throw overFrames(count, framesLeft)
    this.spend({ frames: count })
  }

  // With those that are set aside for helpers.
  private framesGone(): number {
    return this.usage().frames + this.aside.reduce((sum, { frames }) => sum + frames, 0)
  }

  private framesLeft(): number {
    return Math.max(0, this.parts.budget.frames - this.framesGone())
  }

  close(): void {
    this.deadline.clear()
    this.caller.clear()
  }

  watch(event: RunEvent): void {
    this.running.writer?.(event)
  }

  usage(): Usage {
    return addUsage(this.before.spent, this.used())
  }

  private used(): Usage {
    return { ...this.spent, seconds: (performance.now() - this.started) / 1000 }
  }

  // What a person says to it; undefined where there is nobody to ask. The node is left, and begins anew with the answer.
  inquire(inquiry: Inquiry): unknown {
    const personReply = this.parts.inquires ? this.running.interrupt?.(inquiry) : undefined
    return personReply && typeof personReply === 'object' && 'answer' in personReply ? personReply.answer : personReply
  }

  permit(permits: RunState['permits']): void {
    for (const permission of permitted(permits)) this.permissions.add(permission)
  }

  // What is new since the node began.
  news(): Update {
    const { evidence, failures, promptShare, picturesGone, blind } = this.before
    const knownIds = new Set(evidence.map(row => row.id))
    const rows = [...this.ledger.values()].filter(row => !knownIds.has(row.id))
    const failed = this.failures.slice(failures.length)
    return {
      spent: this.used(),
      ...(rows.length > 0 ? { evidence: rows } : {}),
      ...(failed.length > 0 ? { failures: failed } : {}),
      ...(this.promptShare < promptShare ? { promptShare: this.promptShare } : {}),
      ...(this.picturesGone > picturesGone ? { picturesGone: this.picturesGone } : {}),
      ...(this.blind && !blind ? { blind: true } : {}),
      ...(this.caller.signal.aborted ? { halted: true } : {}),
    }
  }

  // The state as it is by now.
  now(state: RunState): RunState {
    return { ...state, evidence: [...this.ledger.values()], spent: this.usage() }
  }

  spend(usage: Partial<Usage>): void {
    this.spent = addUsage(this.spent, { ...usage, seconds: 0 })
  }

  // What a reply cost, where a price is set for its role.
  pay(role: ModelRole | 'vision', reply: ChatReply): void {
    const price = role === 'rules' ? undefined : this.parts.prices?.[role]
    if (!price) return
    const { inputTokens, outputTokens } = reply.usage
    this.spend({ money: (inputTokens * price.input + outputTokens * price.output) / 1e6 })
  }

  lengths(): Lengths {
    const { compaction, resultCharacters, ledgerCharacters } = this.parts.policy
    if (!compaction) return endless
    return {
      pictureRounds: 3,
      results: resultCharacters * this.promptShare,
      ledger: ledgerCharacters * this.promptShare,
    }
  }

  // For a prompt that a model says is too long: first the older half of its pictures goes; when none is left its words are halved.
  shorten(): boolean {
    if (!this.parts.policy.compaction) return false
    if (this.dropPictures()) return true
    if (this.promptShare <= leastShare) return false
    this.promptShare /= 2
    return true
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
      this.watch({ type: 'evidence', evidence: row })
    }
    return fresh
  }

  async ask(model: ChatModel, request: ChatRequest): Promise<ChatReply> {
    this.signal.throwIfAborted()
    const onText = request.purpose === 'write' ? this.drafting() : undefined
    const reply = await untilAborted(model.reply(request, this.signal, onText), this.signal)
    const guess = (characters: number) => (model.accepts.has('text') ? Math.ceil(characters / 4) : 0)
    this.spend({
      calls: 1,
      inputTokens: reply.usage.inputTokens || guess(sizeOf(request)),
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

  stopped(): StopReason | undefined {
    if (this.caller.signal.aborted) return 'interrupted'
    return this.signal.aborted ? 'seconds' : undefined
  }
}

// Counted where a server does not say how many tokens it read. Rule-based models read briefs, not text, and spend none.
function sizeOf(request: ChatRequest): number {
  return request.messages.reduce((size, message) => size + contentText(message.content).length, 0)
}

function earlierTurns({ turns, context, index }: AgentSession['parts']): EarlierTurn[] {
  return turns.map(turn => {
    const ids = turn.answer?.sentences.flatMap(sentence => sentence.cites) ?? []
    const rows = turn.evidence ?? [...new Set(ids)].map(id => context.evidence(id) ?? index.byId(id))
    return {
      question: turn.question,
      answer: turn.answer?.text ?? turn.reference,
      evidence: rows.filter(row => row !== undefined),
    }
  })
}

export function seesPictures({ planner, context }: Pick<GraphParts, 'planner' | 'context'>): boolean {
  return planner.accepts.has('image') && context.paint !== undefined
}

function permitted(permits: RunState['permits']): Permission[] {
  return (Object.keys(permits) as Permission[]).filter(name => permits[name])
}
