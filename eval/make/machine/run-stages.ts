import type { DraftItem, SourceRecord } from '../item.ts'
import type { Before, MakeStage } from '../recipe.ts'
import type { Author } from './author.ts'
import { forecastLine, type StageForecast, stageForecast } from './forecast.ts'
import type { MadeModels } from './roles.ts'
import { runStage, type StageResult, type StageWish } from './run-stage.ts'

export interface StagesWish
  extends Pick<StageWish, 'recipe' | 'folder' | 'seed' | 'frames' | 'concurrency' | 'ahead' | 'signal'> {
  stages: readonly MakeStage<unknown, unknown>[]
  place: number // of the first
  records: readonly SourceRecord[]
  settings: unknown
  models: MadeModels
  until?: string // the last one that is run
  say(line: string): void
}

export interface StagesResult {
  before: ReadonlyMap<string, Before> // what each made, by video
  items: DraftItem[] // outputs of the last stage
  drafted: number
  rejected: StageResult['rejected']
}

// Every stage is given what those before it made of the same video. Whatever any of them rejects was drafted.
export async function runStages(wish: StagesWish): Promise<StagesResult> {
  const { stages, place, records, models, seed, signal, until, say } = wish
  let before = new Map<string, Before>(records.map(({ video_id }) => [video_id, {}]))
  const rejected: StageResult['rejected'] = []
  let last: StageResult | undefined
  for (const [at, stage] of stages.entries()) {
    const author = authorOf(stage, models, seed, signal)
    if (at > 0) for (const line of stageForecast(stage, { ...wish, before, author }, true)) say(forecastLine(line))
    last = await runStage({ ...wish, stage, place: place + at, before, author })
    rejected.push(...last.rejected)
    say(`${stage.name}: ${last.drafted - last.rejected.length} of ${last.drafted} drafted can be used`)
    const made = new Map(last.made.map(({ video, units }) => [video, units]))
    before = new Map([...before].map(([video, known]) => [video, { ...known, [stage.name]: made.get(video) ?? [] }]))
    if (until === stage.name) break
  }
  const items = last?.made.flatMap(({ units }) => units.map(({ output }) => output as DraftItem)) ?? []
  return { before, items, drafted: items.length + rejected.length, rejected }
}

// At most, before anything is made; exactly for the first.
export function stagesForecast(
  stages: readonly MakeStage<unknown, unknown>[],
  given: Pick<StagesWish, 'records' | 'settings' | 'seed' | 'models' | 'signal'>,
): StageForecast[] {
  return stages.flatMap((stage, at) => {
    const author = authorOf(stage, given.models, given.seed, given.signal)
    return stageForecast(stage, { ...given, author }, at === 0)
  })
}

// The model that fills the role of the stage, else the rules.
export function authorOf(
  { role }: Pick<MakeStage, 'role'>,
  models: MadeModels,
  seed: number,
  signal: AbortSignal,
): Author {
  const [model] = models[role ?? 'author']
  return model ? { by: model.id, model, seed, signal } : { by: 'rules' }
}
