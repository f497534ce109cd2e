import { type MadeModels, openAuthor } from '../../recipes/author.ts'
import type { DraftItem } from '../../recipes/item.ts'
import { type Before, type MakeStage, outputsOf } from '../../recipes/recipe.ts'
import { forecastLine, stageForecast } from './forecast.ts'
import { type MakeStageResult, runMakeStage, type StageWish } from './run-stage.ts'

interface StagesWish extends Omit<StageWish, 'stage' | 'before' | 'author'> {
  stages: readonly MakeStage<unknown, unknown>[] // `place` is that of the first
  models: MadeModels
  until?: string // the last one that is run
  say(line: string): void
}

interface StagesResult {
  before: ReadonlyMap<string, Before> // what each made, by video
  items: DraftItem[] // outputs of the last stage
  drafted: number
  rejected: MakeStageResult['rejected']
}

// Every stage is given what those before it made of the same video. Whatever any of them rejects was drafted.
export async function runStages(wish: StagesWish): Promise<StagesResult> {
  const { stages, place, records, models, seed, signal, until, say } = wish
  let before = new Map<string, Before>(records.map(({ video_id }) => [video_id, {}]))
  const rejected: MakeStageResult['rejected'] = []
  let last: MakeStageResult | undefined
  for (const [at, stage] of stages.entries()) {
    if (at > 0) for (const line of stageForecast(stage, { ...wish, before }, true)) say(forecastLine(line))
    const author = openAuthor(stage, models, seed, signal)
    last = await runMakeStage({ ...wish, stage, place: place + at, before, author })
    rejected.push(...last.rejected)
    say(`${stage.name}: ${last.drafted - last.rejected.length} of ${last.drafted} drafted can be used`)
    before = new Map([...last.made].map(([video, units]) => [video, { ...before.get(video), [stage.name]: units }]))
    if (until === stage.name) break
  }
  const items = outputsOf<DraftItem>([...(last?.made.values() ?? [])].flat())
  return { before, items, drafted: items.length + rejected.length, rejected }
}
