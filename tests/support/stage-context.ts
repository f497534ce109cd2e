import { Config } from '../../src/config/schema.ts'
import type { RoleServices } from '../../src/core/services.ts'
import type { FinishedStages, StageContext, StageOutcome, StagePipeline } from '../../src/core/stage.ts'
import type { Video } from '../../src/core/video.ts'
import { stageNews } from '../../src/runtime/index/preprocess.ts'

export const indexSettings = Config.parse({}).index

export type GivenContext<R extends keyof RoleServices = keyof RoleServices> = Partial<
  Omit<StageContext<R>, 'results' | 'pipeline'>
> & { results?: Partial<FinishedStages>; pipeline?: Partial<StagePipeline> }

// What a stage is given, where no other stage is there and nothing is opened.
export function stageContext<R extends keyof RoleServices = keyof RoleServices>(
  given: GivenContext<R> & Pick<StageContext, 'out' | 'signal'>,
): StageContext<R> {
  const lacking = async () => Promise.reject(new Error('this test has none'))
  const outcome = (): StageOutcome => ({ state: 'skipped' })
  const usual: Omit<StageContext, 'out' | 'signal'> = {
    ...{ video: { id: 'v', duration: 60 } as Video, settings: indexSettings, progress: () => {} },
    search: { words: lacking, vectors: lacking },
    open: lacking,
    results: { rows: async () => [], earlier: async () => [], result: () => undefined, outcome, place: () => '' },
    pipeline: stageNews([], given.signal).news,
  }
  return {
    ...usual,
    ...given,
    results: { ...usual.results, ...given.results },
    pipeline: { ...usual.pipeline, ...given.pipeline },
  } as StageContext<R>
}
