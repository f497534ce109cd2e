import type { ResolvedConfig } from '../config/resolve.ts'
import type { Config } from '../config/schema.ts'
import type { Watch } from '../core/agent.ts'
import type { Host } from '../core/backend.ts'
import type { IndexOptions } from '../core/runtime.ts'
import type { SharedStages } from '../core/stage.ts'
import type { Video } from '../core/video.ts'
import type { Library } from '../store/library/library.ts'
import type { Answering } from './ask/answer-question.ts'
import type { RuntimeHealth } from './health.ts'
import type { VideosElsewhere } from './index/locate-video.ts'
import type { SearchTables } from './index/search-library.ts'
import type { StageChanges } from './index/stage-changes.ts'
import type { HostOptions } from './models/host.ts'
import type { Models } from './models/models.ts'

// What an ablation or a cluster changes of a runtime.
export interface RuntimeOptions extends HostOptions {
  fixedIndexes?: StageChanges // every question starts from the same index, with what an ablation changes of it
  searchTables?: SearchTables // of a cluster
  shared?(video: Video, watch: Watch): Promise<SharedStages> // results of other machines, looked for where one is missing here
  elsewhere?(watch: Watch): VideosElsewhere // videos that other machines know, and their files
}

// What the parts of one runtime share.
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
}

export function selectAnswering({ options, config, profile, models }: RuntimeParts): Answering {
  return { home: options.home, config, profile, models, environment: options.environment }
}
