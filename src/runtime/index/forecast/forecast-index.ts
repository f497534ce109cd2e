import { isDeepStrictEqual } from 'node:util'
import { loadStages } from '../../../../tools/stages/index.ts'
import { rowsOfStages } from '../../../../tools/stages/results.ts'
import { isAddress, publicAddress } from '../../../core/basics/address.ts'
import { InputError } from '../../../core/errors.ts'
import type { IndexForecast } from '../../../core/runtime.ts'
import type { IndexSettings } from '../../../core/settings.ts'
import type { Stage, StageReader } from '../../../core/stage.ts'
import type { Video } from '../../../core/video.ts'
import { usage } from '../../../store/library/cache.ts'
import type { Library } from '../../../store/library/library.ts'
import { readStage } from '../../../store/stage/stage.ts'
import { checkStage, stageFolder } from '../../../store/stage/stage-check.ts'
import type { Models } from '../../models/models.ts'
import { findPlanned, type Planned, unfitFor } from '../plan-stages.ts'
import { measuredSpeeds, planIndex } from './planned-stages.ts'

interface ForecastWork {
  library: Library
  models: Models
  settings: IndexSettings
  signal: AbortSignal
}

// What indexing a file would make, and what it would ask of models that may cost money. Nothing is made, fetched or asked.
export async function forecastIndex(path: string, work: ForecastWork): Promise<IndexForecast> {
  const { library, models, settings, signal } = work
  if (isAddress(path))
    throw new InputError(`${publicAddress(path)} is not fetched yet, so nothing is known of it.`, {
      hint: 'A forecast makes nothing: fetch the video first, or index it without --dry-run.',
    })
  const { video, folder, plan } = await planIndex(path, library, models, settings)
  const speeds = await measuredSpeeds(library)
  const hours = video.duration / 3600
  const stages = plan.map(({ planned, there }): IndexForecast['stages'][number] => {
    if (planned.skip !== undefined) return { stage: planned.stage, state: 'skipped', note: planned.skip }
    const { stage, by } = planned
    const speed = speeds.get(`${stage} ${by}`)
    return {
      ...{ stage, by, state: there ? ('there' as const) : ('missing' as const) },
      ...(!there && speed !== undefined && { seconds: speed * hours }),
    }
  })
  const all = plan.map(({ planned }) => planned)
  const result = (stage: string): StageReader | undefined => {
    const at = all.findLastIndex(planned => planned.stage === stage)
    const planned = all[at]
    if (!plan[at]?.there || !planned || planned.skip !== undefined) return undefined
    return readStage(stageFolder(folder, stage, planned.key))
  }
  const costs: IndexForecast['costs'] = []
  for (const stage of await loadStages()) {
    const cost = await estimateStage(stage, video, all, result, work)
    if (cost) costs.push(cost)
  }
  return { path, video: { id: video.id, name: video.name, duration: video.duration }, stages, costs }

  // Whether or not the stage is wanted: what it would cost is what decides it.
  async function estimateStage(
    stage: Stage,
    video: Video,
    plan: readonly Planned[],
    result: (stage: string) => StageReader | undefined,
    { models, settings, library }: ForecastWork,
  ): Promise<IndexForecast['costs'][number] | undefined> {
    const { name, role, forecast } = stage
    if (!forecast || !role) return undefined
    const stageInput = { video, settings, subtitled: false, replaced: () => false as const }
    const off = stage.skip?.(stageInput) || (models.isOff(role) && `models.${role} is off`)
    if (off) return stage.extra ? undefined : { stage: name, note: off, densities: [] }
    const chosen = await models.chosen(role)
    const unfit = unfitFor(stage, chosen)
    if (unfit !== undefined) return { stage: name, note: unfit, densities: [] }
    const { by, settings: backend } = chosen
    const before = plan.filter(planned => stage.after.includes(planned.stage)).map(({ how }) => how)
    const densities = await forecast({
      ...stageInput,
      result,
      rows: () => rowsOfStages(before, result),
      model: [by, models.choice(role).model].filter(Boolean).join(' '),
      backend,
      thinkingTokens: await models.thinkingTokens(role),
      price: models.price(role),
      earlier: await earlierResults(library, stage, by, backend),
      signal,
    })
    if (densities.length === 0) return undefined
    const planned = findPlanned(plan, name)
    return { stage: name, by, ...(planned?.skip !== undefined && { note: planned.skip }), densities }
  }
}

const mostEarlier = 20

// What the same model has made of any video, the latest first.
async function earlierResults(library: Library, { name }: Stage, by: string, backend: unknown): Promise<StageReader[]> {
  const readers: StageReader[] = []
  for (const { folder, stages } of (await usage(library)).reverse())
    for (const { stage, key, meta } of stages) {
      if (stage !== name || meta?.by !== by || readers.length >= mostEarlier) continue
      const usedBackend = (meta.settings as { backend?: unknown } | undefined)?.backend
      const isSame = isDeepStrictEqual(usedBackend, JSON.parse(JSON.stringify(backend ?? null)))
      if (isSame && (await checkStage(folder, stage, key, 'use')).state === 'whole')
        readers.push(readStage(stageFolder(folder, stage, key)))
    }
  return readers
}
