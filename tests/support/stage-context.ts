import { stageNews } from '../../graphs/preprocess.ts'
import { Config } from '../../src/config/schema.ts'
import type { RoleServices } from '../../src/core/services.ts'
import type { StageContext } from '../../src/core/stage.ts'
import type { Video } from '../../src/core/video.ts'

export const indexSettings = Config.parse({}).index

// What a stage is given, where no other stage is there and nothing is opened.
export function stageContext<R extends keyof RoleServices = keyof RoleServices>(
  given: Partial<StageContext<R>> & Pick<StageContext, 'out' | 'signal'>,
): StageContext<R> {
  const lacking = async () => Promise.reject(new Error('this test has none'))
  const usual: Omit<StageContext, 'out' | 'signal'> = {
    ...{ video: { id: 'v', duration: 60 } as Video, settings: indexSettings, progress: () => {} },
    ...{ search: { words: lacking, vectors: lacking }, open: lacking, rows: async () => [], others: async () => [] },
    ...{ result: () => undefined, outcome: () => ({ state: 'skipped' }), place: () => '' },
    ...stageNews([], given.signal).news,
  }
  return { ...usual, ...given } as StageContext<R>
}
