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

// One channel of the graph's state: what it begins with, and what becomes of it when a node adds to it.
interface Channel<T> {
  default(): T
  reducer(now: T, more: T): T
}

function channel<T>(start: T, reducer: Channel<T>['reducer'] = (_, latest) => latest): Channel<T> {
  return { default: () => start, reducer }
}

// What is known: the question and the ledger of all rows and steps.
const knownChannels = {
  question: channel<Question>({ text: '' }),
  turns: channel<Turn[]>([]), // before the question
  steps: channel<Step[]>([], joined),
  evidence: channel<Evidence[]>([], (rows, more) => [
    ...new Map([...rows, ...more].map(row => [row.id, row])).values(),
  ]), // the ledger: every row that any step has seen
  library: channel<AskedLibrary | undefined>(undefined, (now, more) => ({ ...nothingAsked, ...now, ...more })), // over all videos
}

// The answer as it comes about.
const answerChannels = {
  weighed: channel<Weighed | undefined>(undefined, (weighed, more) => ({ ...weighed, ...more })),
  written: channel<Draft | undefined>(undefined), // as a model or rules had it, then as the check left it
  verdicts: channel<AgentState['verdicts']>([]),
  result: channel<Answer | undefined>(undefined),
  failures: channel<string[]>([], joined), // for the answer to tell
  notes: channel<string[]>([], joined), // what the answer must say of how it came about
}

// How far the run is: what was said, and what comes next.
const courseChannels = {
  messages: channel<RunMessage[]>([], joined), // of the model and of the code, in their order; results of calls are the steps
  round: channel(0), // rounds of tool calls that were run
  calls: channel<ToolCall[]>([]), // of the round to come
  forced: channel<string[]>([], joined), // calls that policies had made: each is made once
  fit: channel<Fit>({ share: 1, picturesGone: 0, blind: false }),
  permits: channel<Partial<Record<Permission, boolean>>>({}, (now, more) => ({ ...now, ...more })), // what a person said
  spent: channel<Usage>(emptyUsage, addUsage),
  stop: channel<StopReason | undefined>(undefined),
  halted: channel(false), // the caller had stopped the run: it goes on from before that
}

// The state of every graph, as plain JSON: it is all that a checkpoint holds and all that a run goes on from. No channel may be
// called as a node is.
export const channels = { ...knownChannels, ...answerChannels, ...courseChannels }

type Values<Channels extends Record<string, Channel<unknown>>> = {
  [Name in keyof Channels]: ReturnType<Channels[Name]['default']>
}
export type RunState = Values<typeof knownChannels> & Values<typeof answerChannels> & Values<typeof courseChannels>

// One message of a run. Of the code: hint: for the planner, until it replies. form, silence: it asked for a reply in form, or for any.
// doubt: what the check says of an answer. budget: what is left. opening: the frames that a conversation begins with.
export type RunMessage =
  | { by: 'model'; text: string; calls: ToolCall[]; round?: number } // round: of the steps that its calls became
  | { by: 'code'; about: 'hint' | 'form' | 'silence' | 'doubt' | 'budget' | 'opening'; text: string; frames?: string[] }

// What the model of the planner takes, as its replies taught.
export interface Fit {
  share: number // of the usual length of a prompt
  picturesGone: number // of the oldest pictures: no longer in its prompt, which was too long
  blind: boolean // it refused pictures
}

export function buildHint(text: string): RunMessage {
  return { by: 'code', about: 'hint', text }
}

// What the code has said since the model replied last.
export function pendingMessages(messages: readonly RunMessage[]): (RunMessage & { by: 'code' })[] {
  return messages.slice(messages.findLastIndex(one => one.by === 'model') + 1).filter(one => one.by === 'code')
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

// What a node adds to the state: of a channel with a reducer only what is new.
export type Update = Partial<RunState>

// What a node did, and the node that comes next if there is a choice.
export interface Done {
  update: Update
  goto?: string
}

// What a step says of itself when a policy called for it.
export const madeByPolicy = 'This call was made automatically.'

export type DraftSentence = Draft['sentences'][number]
export type Judged = AgentState['verdicts'][number]

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
