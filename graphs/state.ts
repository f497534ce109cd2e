import type {
  AgentState,
  Answer,
  AskedLibrary,
  OptionVerdict,
  Question,
  Step,
  StopReason,
  Turn,
  Weighed,
} from '../src/core/agent.ts'
import type { Draft } from '../src/core/brief.ts'
import { addUsage, emptyUsage, type ToolCall, type Usage } from '../src/core/chat.ts'
import type { Evidence } from '../src/core/evidence.ts'
import type { Permission } from '../src/core/tool.ts'
import type { GivenAnswer, ModelTurn } from './converse/turn.ts'

// One channel of the graph's state: what it begins with, and what becomes of it when a node adds to it.
interface Channel<T> {
  default(): T
  reducer(now: T, more: T): T
}

function channel<T>(start: T, reducer: Channel<T>['reducer'] = (_, latest) => latest): Channel<T> {
  return { default: () => start, reducer }
}

// The state of every graph, as plain JSON: it is all that a checkpoint holds and all that a run goes on from. No channel may be
// called as a node is.
export const channels = {
  question: channel<Question>({ text: '' }),
  turns: channel<Turn[]>([]), // before the question
  steps: channel<Step[]>([], joined),
  evidence: channel<Evidence[]>([], (rows, more) => [
    ...new Map([...rows, ...more].map(row => [row.id, row])).values(),
  ]), // the ledger: every row that any step has seen
  weighed: channel<Weighed | undefined>(undefined, (weighed, more) => ({ ...weighed, ...more })),
  written: channel<Draft | undefined>(undefined), // as the writer had it, then as the check left it
  verdicts: channel<AgentState['verdicts']>([]),
  result: channel<Answer | undefined>(undefined),
  stop: channel<StopReason | undefined>(undefined),
  spent: channel<Usage>(emptyUsage, addUsage),
  replies: channel<ModelTurn[]>([], joined), // of the model, in a graph that keeps them as one conversation
  opening: channel<string[]>([]), // frame rows that such a conversation begins with
  given: channel<GivenAnswer | undefined>(undefined), // the answer by its call
  round: channel(0), // rounds of tool calls that were run
  calls: channel<ToolCall[]>([]), // of the round to come
  forced: channel<string[]>([], joined), // calls that policies had made: each is made once
  hints: channel<string[]>([]), // for the planner
  secondLooks: channel(0), // checks of an answer
  idle: channel(0), // replies without a usable call or a word
  promptShare: channel(1), // of the usual length of a prompt; it falls when a model says that one was too long
  picturesGone: channel(0), // of the oldest pictures: no longer in its prompt, which was too long
  blind: channel(false), // its model refused pictures
  reminded: channel<string[]>([], joined), // rows of pictures that it was asked to say what they show
  failures: channel<string[]>([], joined), // for the answer to tell
  notes: channel<string[]>([], joined), // what the answer must say of how it came about
  permits: channel<Partial<Record<Permission, boolean>>>({}, (now, more) => ({ ...now, ...more })), // what a person said
  library: channel<AskedLibrary | undefined>(undefined, (now, more) => ({ ...nothingAsked, ...now, ...more })), // over all videos
  halted: channel(false), // the caller had stopped the run: it goes on from before that
}

// An answer with all that is needed to give it after all.
export interface Ballot {
  plan: string
  rounds: number
  written: Draft
  verdicts: AgentState['verdicts']
  options?: OptionVerdict[]
  answer: Answer
}

// A vote: what every run begins with, as counts of the lists of the state, and the answers so far.
export interface Poll {
  base: { steps: number; rows: number; round: number }
  ballots: Ballot[]
}

const nothingAsked: AskedLibrary = { searched: [], notSearched: [], found: [], asked: [] }

function joined<T>(now: T[], more: T[]): T[] {
  return more.length === 0 ? now : [...now, ...more]
}

export type RunState = { [Name in keyof typeof channels]: ReturnType<(typeof channels)[Name]['default']> }

// What a node adds to the state: of a channel with a reducer only what is new.
export type Update = Partial<RunState>

// What a node did, and the node that comes next where there is a choice.
export interface Done {
  update: Update
  goto?: string
}

// What a step says of itself when a policy called for it.
export const madeByPolicy = 'This call was made automatically.'

export type DraftSentence = Draft['sentences'][number]
export type Judged = AgentState['verdicts'][number]

// The state as a run begins with it.
export function freshState(begun: Update): RunState {
  const start = Object.fromEntries(Object.entries(channels).map(([name, one]) => [name, one.default()]))
  return { ...(start as RunState), ...begun }
}

// What whoever asked gets of the state.
export function agentState(state: RunState): AgentState {
  const { question, turns, steps, evidence, weighed, written, verdicts, result, stop, spent, library } = state
  return {
    ...{ question, turns, steps, evidence, verdicts, spent },
    ...(weighed ? { weighed } : {}),
    ...(written ? { draft: written.sentences } : {}),
    ...(stop ? { stop } : {}),
    ...(result ? { answer: result } : {}),
    ...(library ? { library } : {}),
  }
}
