import type { LibraryParts } from '../../graphs/parts.ts'
import type { ResolvedConfig } from '../config/resolve.ts'
import type { Config } from '../config/schema.ts'
import type { Question, Watch } from '../core/agent.ts'
import type { Host } from '../core/backend.ts'
import type { Usage } from '../core/chat.ts'
import type { AskOptions, CallLog, IndexOptions } from '../core/runtime.ts'
import type { SharedStages } from '../core/stage.ts'
import type { Video, VideoIndex } from '../core/video.ts'
import type { Library } from '../store/library/library.ts'
import type { RuntimeHealth } from './health.ts'
import type { VideosElsewhere } from './index/locate-video.ts'
import type { OpenedIndex } from './index/open-index.ts'
import type { StageChanges } from './index/plan-stages.ts'
import type { SearchTables } from './index/search-library.ts'
import type { HostOptions } from './models/host.ts'
import type { Models } from './models/models.ts'

// What an ablation or a cluster changes of a runtime.
export interface RuntimeOptions extends HostOptions {
  fixedIndexes?: StageChanges // every question starts from the same index, with what an ablation changes of it
  searchTables?: SearchTables // of a cluster
  shared?(video: Video, watch: Watch): Promise<SharedStages> // results of other machines, looked for where one is missing here
  elsewhere?(watch: Watch): VideosElsewhere // videos that other machines know, and their files
}

// What is open while a runtime is: its methods and all steps of a question share it.
export interface RuntimeParts {
  options: RuntimeOptions
  config: ResolvedConfig
  settings: Config
  models: Models
  library: Library
  host: Host
  profile: { name: string; why: string }
  health: RuntimeHealth
}

export interface VideoOptions extends IndexOptions {
  subtitles?: string // a file in place of those beside the video
  graph?: string // that it is opened for, where it is not that of the settings: some need no index
  file?: boolean // false: what is indexed is enough, so its file is not fetched from another machine
}

export type WatchedOptions<Options extends IndexOptions = IndexOptions> = Options &
  Required<Pick<IndexOptions, 'watch' | 'signal'>>

// What an agent is opened over.
export interface AgentContext {
  runtime: RuntimeParts
  index: VideoIndex
  options: WatchedOptions<AskOptions>
  library?: OpenLibrary // of a question over all videos: `index` then stands for all of them
}

// What one question is answered with: built once, and handed to every step.
export interface QuestionContext extends AgentContext {
  index: OpenedIndex
  question: Question
  graph: string
  spent?: Usage // for this question, before its graph begins
  resumes?: string // the id of the run that goes on
  forked?: Forked
}

// From which step of which run.
export interface Forked {
  run: string
  step: number
  checkpoint: string
  hint?: string
}

// All videos as one thing that is asked about.
export interface OpenLibrary {
  request: LibraryRequest
  index: OpenedIndex
  parts(calls: CallLog, reply?: AskOptions['reply']): LibraryParts
}

// What is kept of a question over all videos, so that it can be resumed.
export interface LibraryRequest {
  within?: string // a folder
  k: number
  graph: string // that is asked in each video
}

// Events go nowhere and only the runtime stops the work, unless the options say otherwise.
export function watchOptions<Options extends IndexOptions>(
  { host }: Pick<RuntimeParts, 'host'>,
  options: Options,
): WatchedOptions<Options> {
  const { watch = () => {}, signal = host.signal } = options
  return { ...options, watch, signal }
}

// What looks into the finished indexes of the library works with.
export function libraryWork({ library, models, settings, options }: RuntimeParts, signal: AbortSignal) {
  return { library, models, settings: settings.index, signal, shared: options.shared }
}
