import { type MadeModels, openAuthor } from '../../recipes/author.ts'
import type { CheckGiven, DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { Before, MakeRecipe, MakeStage, RecipeCheck } from '../../recipes/recipe.ts'
import { estimate } from '../../runner/cost/estimate.ts'

// Calls of a stage before it begins: exact for the next one, at most for those after it.
export interface StageForecast {
  stage: string
  role: string
  calls: number
  isExact: boolean
  inputTokens: number
  outputTokens: number
  money: number | null // null: a model of the role has no price in the settings
}

const tokensOfRow = 40 // of a line of a row, as an author is shown it
const reply = { draft: 250, check: 8 } // tokens
const question = 120 // tokens of a question with its options and the sentences around it

// Of one stage, exactly where what is made before it is known; none if it asks nobody.
export function stageForecast(
  stage: MakeStage<unknown, unknown>,
  { records, before, settings, seed, models, signal }: ForecastWish,
  isExact: boolean,
): StageForecast[] {
  const author = openAuthor(stage, models, seed, signal)
  const prompt = Object.values(stage.prompts).join('').length / 4
  let [calls, input] = [0, 0]
  for (const record of records) {
    const units = stage.units(record, { settings, seed, author, before: before?.get(record.video_id) })
    const videoCalls = units.reduce((sum, unit) => sum + stage.calls(unit, author), 0)
    calls += videoCalls
    input += videoCalls * (prompt + tokensOfRow * Math.min(60, record.rows.length))
  }
  if (calls === 0) return []
  const tokens = { inputTokens: Math.ceil(input), outputTokens: calls * reply.draft }
  return [priced({ stage: stage.name, role: stage.role ?? 'author', calls, isExact, ...tokens }, models)]
}

interface ForecastWish {
  records: readonly SourceRecord[]
  before?: ReadonlyMap<string, Before> // by video_id; left out while nothing is made
  settings: unknown
  seed: number
  models: MadeModels
  signal: AbortSignal
}

// Of one check over these items; none if it asks no model.
export function checkForecast(
  { check }: RecipeCheck,
  items: readonly DraftItem[],
  given: CheckGiven,
  isExact: boolean,
  models: MadeModels,
): StageForecast[] {
  const asks = [
    { role: check.role ?? check.optionalRole, calls: check.calls?.(items, given) ?? 0 },
    { role: 'judge' as const, calls: check.judged?.(items, given) ?? 0 },
  ]
  return asks.flatMap(({ role, calls }) => {
    if (!role || calls === 0 || models[role].length === 0) return []
    const tokens = { inputTokens: calls * question, outputTokens: calls * reply.check }
    return [priced({ stage: check.name, role, calls, isExact, ...tokens }, models)]
  })
}

// What the filters may cost, as if every draft reached each of them.
export function laterForecasts(
  recipe: MakeRecipe,
  { records, settings, seed, models, signal }: ForecastWish,
  adopted: readonly DraftItem[],
  givenFor: (check: RecipeCheck) => CheckGiven,
): StageForecast[] {
  const last = recipe.stages.at(-1)
  const author = openAuthor(last ?? {}, models, seed, signal)
  const options = recipe.checks.find(({ check }) => check.name === 'options')
  const drafts = records.flatMap(record =>
    (last?.units(record, { settings, seed, author }) ?? []).map(({ unit }) => unseen(unit, record.video_id, options)),
  )
  const items = [...drafts, ...adopted]
  return recipe.checks.flatMap(check => checkForecast(check, items, givenFor(check), false, models))
}

// A draft that is not written yet, as a filter has most to ask of it: its one word stands in no row, it has a clue, and as few options
// as the check of options lets pass, which need the most orders; none if a recipe has no such check, since its questions are open.
function unseen(id: string, video: string, options: RecipeCheck | undefined): DraftItem {
  const texts = Array.from({ length: options?.thresholds?.min ?? 4 }, (_, at) => `option ${at}`)
  const choice = options && { options: texts, right: 0 }
  return {
    id,
    video,
    kind: '',
    question: 'unwritten',
    answer: 'option 0',
    ...choice,
    clues: [[0, 1]],
    rows: [],
    extra: {},
  }
}

function priced(forecast: Omit<StageForecast, 'money'>, models: MadeModels): StageForecast {
  const prices = models[forecast.role as keyof MadeModels].map(({ price }) => price)
  return { ...forecast, money: estimate(1, forecast, prices).money ?? null }
}

export function forecastLine({ stage, role, calls, isExact, inputTokens, outputTokens, money }: StageForecast): string {
  const cost = money === null ? 'no price set' : money.toFixed(2)
  return `${stage}: ${isExact ? '' : 'at most '}${calls} calls of make.${role}, ~${inputTokens} + ${outputTokens} tokens, ${cost}`
}
