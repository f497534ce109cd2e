import { checkGraph } from '../../graphs/index.ts'
import type { ProfileName } from '../config/profiles.ts'
import type { ResolvedConfig } from '../config/resolve.ts'
import type { Config } from '../config/schema.ts'
import type { Host } from '../core/backend.ts'
import { linkSignals } from '../core/basics/signals.ts'
import type { VideoMemory } from '../core/operation.ts'
import type { OperationReply } from '../core/operation-reply.ts'
import type { DoctorReport, IndexOptions, Runtime } from '../core/runtime.ts'
import type { ReplayedCalls } from '../store/call-log/replay.ts'
import { type Library, openLibrary } from '../store/library/library.ts'
import { AllVideos } from './all-videos.ts'
import { RuntimeQuestions } from './ask.ts'
import type { RuntimeOptions, RuntimeParts } from './context.ts'
import { RuntimeHealth } from './health.ts'
import { chooseModels } from './models/choose/choose-models.ts'
import { buildHost } from './models/host.ts'
import { memoryReclaimer } from './models/memory/card-lender.ts'
import { chooseBound, openMemoryGate } from './models/memory/memory-gate.ts'
import { Models } from './models/models.ts'
import { RuntimeVideos } from './videos.ts'

type ChosenModels = Awaited<ReturnType<typeof chooseModels>>

interface CreateOptions extends RuntimeOptions {
  config: ResolvedConfig
  replay?: ReplayedCalls // in place of every model that would be asked over a network
  exceeded?(error: Error): void // the bound of memory cannot be kept; without it, all work of the runtime is stopped
}

// Where models, tools, graphs and storage meet. One runtime serves many videos and questions; close it at the end.
export class LocalRuntime implements Runtime {
  readonly profile: { name: 'auto' | ProfileName; why: string }
  readonly unusedKey?: string
  readonly advice?: string
  readonly config: ResolvedConfig // with what was chosen for the roles
  readonly settings: Config
  readonly models: Models
  readonly library: Library
  readonly host: Host
  readonly videos: RuntimeVideos
  readonly questions: RuntimeQuestions
  readonly allVideos: AllVideos
  readonly parts: RuntimeParts

  constructor(parts: RuntimeParts & Omit<ChosenModels, 'fault'>) {
    this.profile = parts.profile
    this.unusedKey = parts.unusedKey
    this.advice = parts.advice
    this.config = parts.config
    this.settings = parts.settings
    this.models = parts.models
    this.library = parts.library
    this.host = parts.host
    this.videos = new RuntimeVideos(parts)
    this.allVideos = new AllVideos(parts)
    this.questions = new RuntimeQuestions(parts)
    this.parts = parts
  }

  async callOperation(name: string, input: unknown, options: IndexOptions = {}): Promise<OperationReply> {
    const { callOperation } = await import('./operations/index.ts')
    const { runtimeMemory } = await import('./memory.ts')
    const open: VideoMemory['open'] = async ({ id }, work) => {
      const index = await this.videos.open(id, options)
      try {
        return await work(index)
      } finally {
        await index.close()
      }
    }
    return callOperation(name, input, runtimeMemory(this, open, options.signal ?? this.host.signal))
  }

  doctor({ depth = 'try' }: { depth?: 'look' | 'try' } = {}): Promise<DoctorReport> {
    const { profile, unusedKey, settings, host, library } = this
    return this.parts.health.examine({ home: library.home, profile, unusedKey, choices: settings.models, host, depth })
  }

  close(): Promise<void> {
    return this.parts.health.close()
  }
}

export async function createRuntime(options: CreateOptions): Promise<LocalRuntime> {
  const closing = linkSignals(options.signal)
  const host = buildHost({ ...options, signal: closing.signal })
  const memory = openMemoryGate(chooseBound(options.config.settings.limits.memory), error =>
    options.exceeded ? options.exceeded(error) : closing.abort(error),
  )
  const { fault, ...chosen } = await chooseModels(options.config, host)
  const { settings } = chosen.config
  checkGraph(settings.graph)
  const models = new Models(settings.models, host, options.replay, settings.prices)
  const { card } = await import('../../models/onnx/card/card.ts')
  const stopReclaiming = card().addReclaimer(memoryReclaimer(settings.models))
  const health = new RuntimeHealth(fault, { models, closing, memory, stopReclaiming })
  return new LocalRuntime({ ...chosen, options, settings, models, library: openLibrary(options.home), host, health })
}
