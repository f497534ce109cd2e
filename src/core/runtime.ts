import type { AgentState, Answer, AskedLibrary, Budget, Question, Turn, Votes, Watch } from './agent.ts'
import type { RanOn } from './backend.ts'
import type { ChatModel, Usage } from './chat.ts'
import type { Evidence } from './evidence.ts'
import type { NotSearched } from './library.ts'
import type { OperationReply } from './operation-reply.ts'
import type { People } from './people.ts'
import type { Checkpointer, Inquiry } from './run/checkpoints.ts'
import type { StageCost } from './stage.ts'
import type { Tool, ToolContext } from './tool.ts'
import type { Coverage, Hit, Overview, SearchQuery, Shot, Video, VideoIndex } from './video.ts'

// What the command line, the server and the library ask of longtake. src/runtime/runtime.ts is its one implementation.
export interface Runtime {
  profile: { name: string; why: string }
  unusedKey?: string // a sentence: a key of a hosted provider is set, and the rules answer
  advice?: string // a sentence: how the model that was named answers, and what more effort would bring
  videos: VideoActions
  questions: QuestionActions
  allVideos: AllVideoActions
  callOperation(name: string, input: unknown, options?: IndexOptions): Promise<OperationReply> // src/runtime/operations; indexes what is missing first
  doctor(options?: { depth?: 'look' | 'try' }): Promise<DoctorReport> // look: opens nothing
  close(): Promise<void>
}

// With one video: its index, and what is read from it.
export interface VideoActions {
  index(path: string, options?: IndexOptions): Promise<IndexReport>
  forecast(pathOrId: string, options?: IndexOptions): Promise<IndexForecast> // what `index` would make and ask; makes and asks nothing
  fetch(address: string, options?: FetchOptions): Promise<Fetched[]> // from an address into the library, once; nothing else fetches
  open(pathOrId: string, options?: IndexOptions): Promise<VideoIndex> // indexes what is missing first
  show(pathOrId: string, options?: IndexOptions): Promise<ShowReport>
  search(path: string, query: SearchQuery, options?: IndexOptions): Promise<VideoSearch>
}

export interface VideoSearch {
  video: Video
  hits: Hit[]
  coverage: Coverage
}

// Questions about one video, and what can be done with the run of one.
export interface QuestionActions {
  ask(path: string, question: Question, options?: AskOptions): Promise<AskReport>
  openVideo(pathOrId: string, options?: IndexOptions & Pick<AskOptions, 'graph'>): Promise<OpenVideo> // for more than one question
  resume(run: string, options?: AskOptions): Promise<AskReport> // by name or folder: goes on where the run was stopped
  fork(run: string, from: ForkPoint, options?: AskOptions): Promise<AskReport> // in a run of its own, with the settings as they are now
  replay(run: string, options?: IndexOptions): Promise<{ report: AskReport; same: boolean }> // on what was recorded; asks nothing
}

// Over every video that has an index; makes none.
export interface AllVideoActions {
  search(query: SearchQuery, options?: LibraryOptions): Promise<LibrarySearch>
  ask(question: Question, options?: AskLibraryOptions): Promise<AskReport> // finds the videos, then asks in the best
}

export interface IndexOptions {
  watch?: Watch
  signal?: AbortSignal
}

export interface LibraryOptions extends IndexOptions {
  within?: string // a folder: only videos whose file lies below it
  fast?: boolean // of a search by the tables of a cluster: its candidates as they are, without opening an index
}

// A question over all videos belongs to no conversation.
export interface AskLibraryOptions
  extends Omit<LibraryOptions, 'fast'>,
    Pick<AskOptions, 'budget' | 'graph' | 'checkpointer' | 'reply'> {
  k?: number // in how many videos it is asked at most
}

export interface FetchOptions extends IndexOptions {
  playlist?: boolean // all videos where it is the address of a playlist; refused otherwise
}

export interface Fetched {
  path: string
  address: string
  title: string
}

export interface AskOptions extends IndexOptions {
  budget?: Partial<Budget>
  turns?: Turn[]
  graph?: string
  session?: string // the conversation that it belongs to, for the records
  byId?: boolean // resume and fork: open the known video with the id of the run, never a path that the run folder names, and take no permission from it
  calls?: CallLog // of a benchmark: the calls are kept there, and no run folder is made
  change?: AskChange // of an ablation
  checkpointer?: Checkpointer // LangGraph's, in place of the run folder
  reply?(inquiry: Inquiry): Promise<unknown> // a person, who is asked what a tool may do and what a question means
}

// Where a fork leaves its run.
export interface ForkPoint {
  step?: number // the last step that is kept; an error names those there are
  hint?: string // for the planner, who is asked next
}

// What the models and tools of one question go through: src/store/call-log records, resumes, replays and shares calls.
export interface CallLog {
  folder: string
  model(model: ChatModel, as: CalledAs): ChatModel
  tool(tool: Tool, asksOthers: boolean): Tool // asksOthers: over a network, or an MCP server
  served?(tools: readonly Tool[]): Promise<void> // what MCP servers offer is a part of the log
}

export interface CalledAs {
  role: string
  chosen(): Promise<unknown> // backend and settings: equal ones give equal replies
}

// What differs from the agent as it is set, where settings do not say it.
export interface AskChange {
  index?(index: VideoIndex): VideoIndex
  tools?(tools: Tool[]): Tool[]
  context?(context: ToolContext): ToolContext
  from?: AgentState // goes on from a state that was written down
}

// A video whose index stays open until it is closed.
export interface OpenVideo {
  index: VideoIndex
  ask(question: Question, options?: AskOptions): Promise<AskReport>
  close(): Promise<void>
}

// What indexing a file would take: nothing was made or asked to know it.
export interface IndexForecast {
  path: string
  video: { id: string; name: string; duration: number }
  stages: {
    stage: string
    by?: string
    state: 'there' | 'missing' | 'skipped'
    note?: string // why it is skipped
    seconds?: number // of one that is missing, where it was measured here
  }[]
  costs: { stage: string; by?: string; note?: string; densities: StageCost[] }[] // of stages that ask a model which may cost money
}

export interface StageReport {
  stage: string
  by: string
  key: string
  state: 'done' | 'reused' | 'failed' | 'skipped'
  started: number // seconds since the index run began
  seconds: number
  items: number
  note?: string
}

export interface IndexReport {
  video: Video
  coverage: Coverage
  overview: Overview
  stages: StageReport[]
  seconds: number
  profile: string
  partial: boolean // a part of the video could not be read, or a track could not be made
}

export interface AskReport {
  video: Video
  question: Question
  answer: Answer
  evidence: Evidence[] // the cited rows first, then the rest of the ledger
  coverage: Coverage
  steps: AgentState['steps']
  usage: Usage
  stop: NonNullable<AgentState['stop']>
  profile: string
  run: string // the run folder
  session?: string
  votes?: Votes // where the answer was unsure and more runs answered too
  library?: AskedLibrary // of a question over all videos: `video` then stands for all of them
}

export interface ShowReport {
  video: Video
  coverage: Coverage
  overview: Overview
  people?: People
  shots: Shot[]
  evidence: Evidence[]
}

// One role of the configured profile, and whether it can run here.
export interface RoleReport {
  role: string
  backend: string
  state: 'ready' | 'weak' | 'missing' | 'off' | 'broken' // weak: it works, but not as this role needs it
  detail: string
  mend?: string // the one next step
  checks?: RoleCheck[] // what a chat model was found to do
  models?: string[] // that its server says it has
  ran?: RanOn[] // which device its models really ran on
  seconds?: number // that trying it took
}

// One thing that a chat model was asked to do.
export interface RoleCheck {
  what: 'answers' | 'tools' | 'schema' | 'images' | 'audio'
  state: 'yes' | 'partly' | 'no' | 'not tried'
  detail: string
  mend?: string
  seconds: number
}

// A part of an agent that its paper describes otherwise.
export interface Departure {
  part: string // a role, or a part of the agent
  paper: string
  here: string
  why: string
}

export interface DoctorReport {
  healthy: boolean
  profile: string
  unusedKey?: string
  why: string // why this profile, and which models fill its roles
  fault?: { what: string; mend?: string } // the chosen model or server cannot be used: questions are not answered
  node: string
  packages: { name: string; state: 'ready' | 'left out' | 'missing'; detail: string; mend?: string }[] // optional ones
  programs: { name: string; version?: string; state: 'ready' | 'missing'; mend?: string }[]
  roles: RoleReport[]
  home: { path: string; free: number; writable: boolean }
  departures?: Departure[] // of the profile `paper` from the paper
  sandbox?: { walls: string[]; missing?: { wall: string; why: string; mend: string } } // around execute_code, from the inside out
}

// A moment found in one of many videos.
export interface LibraryHit extends Hit {
  video: Video
}

export interface LibrarySearch {
  hits: LibraryHit[] // best first, whichever video they are from
  searched: { video: Video; coverage: Coverage }[]
  notSearched: NotSearched[]
  tables?: { searched: number; vectors: string } // by the tables of a cluster: how many videos they hold; `searched` are those opened
}
