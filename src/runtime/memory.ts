import type { Config } from '../config/schema.ts'
import type { VideoMemory } from '../core/operation.ts'
import type { AllVideoActions } from '../core/runtime.ts'
import type { Library } from '../store/library/library.ts'
import { toolContext } from './ask/tool-context.ts'
import { refuseChanged } from './index/content/guard.ts'
import { chooseTrust } from './index/plan-stages.ts'
import type { Models } from './models/models.ts'
import { listPermissions } from './tools/toolbox.ts'

interface MemoryParts {
  library: Library
  models: Models
  settings: Config
  allVideos: AllVideoActions
}

// The library of a runtime as operations work with it. `open` may make what is missing of an index, or refuse.
export function runtimeMemory(runtime: MemoryParts, open: VideoMemory['open'], signal: AbortSignal): VideoMemory {
  const { library, models, settings, allVideos } = runtime
  return {
    videos: () => library.list(),
    open,
    search: query => allVideos.search(query, { signal }),
    async frames(video, times, width, region) {
      await refuseChanged(video, library.videoFolder(video.id), {
        trust: chooseTrust(settings.index),
        watch: () => {},
        signal,
      })
      const { decodeFrames } = await import('../media/frames.ts')
      const shownWidth = Math.min(width, region ? width : (video.picture?.width ?? width))
      return decodeFrames(video, times, { width: shownWidth, region }, signal)
    },
    context: index => toolContext(index, models, listPermissions(settings), signal, settings.tools),
    answerer: () => describeAnswerer(models, settings),
    signal,
  }
}

// Who answers a question, and what it cannot do: a host weighs the answer by it.
async function describeAnswerer(models: Models, { models: { planner } }: Config): Promise<string> {
  const blind = models.isOff('vision') ? 'it does not see pictures' : undefined
  if (await models.standInTakes('planner'))
    return `rules that find and quote rows; no language model${blind ? `, and ${blind}` : ''}: read and view yourself for anything else`
  const model = 'model' in planner && planner.model ? String(planner.model) : planner.backend
  return blind ? `${model}; ${blind}` : model
}
