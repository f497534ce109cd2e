import { costOf } from '../../../src/app/ask/prices.ts'
import { emptyUsage } from '../../../src/core/chat.ts'
import type { CheckGiven, DraftItem, SourceRecord } from '../item.ts'
import type { MakeRecipe, RecipeCheck } from '../recipe.ts'
import type { Author } from './author.ts'
import type { MadeModels } from './roles.ts'

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

export function stageForecasts(
  recipe: MakeRecipe,
  { records, settings, seed, author, models }: ForecastWish,
): StageForecast[] {
  return recipe.stages.flatMap((stage, at): StageForecast[] => {
    const perVideo = records.map(record => {
      const calls = stage.units(record, { settings, seed }).reduce((sum, unit) => sum + stage.calls(unit, author), 0)
      const prompt = Object.values(stage.prompts).join('').length / 4
      return { calls, input: calls * (prompt + tokensOfRow * Math.min(60, record.rows.length)) }
    })
    const calls = perVideo.reduce((sum, one) => sum + one.calls, 0)
    if (calls === 0) return []
    const inputTokens = Math.ceil(perVideo.reduce((sum, one) => sum + one.input, 0))
    return [
      priced(
        { stage: stage.name, role: 'author', calls, isExact: at === 0, inputTokens, outputTokens: calls * reply.draft },
        models,
      ),
    ]
  })
}

export interface ForecastWish {
  records: readonly SourceRecord[]
  settings: unknown
  seed: number
  author: Author
  models: MadeModels
}

// Of one check over these items; none where it asks no model.
export function checkForecast(
  { check }: RecipeCheck,
  items: readonly DraftItem[],
  given: CheckGiven,
  isExact: boolean,
  models: MadeModels,
): StageForecast[] {
  const calls = check.calls?.(items, given) ?? 0
  const role = check.role ?? check.mayAsk
  if (!role || calls === 0 || models[role].length === 0) return []
  return [
    priced(
      {
        stage: check.name,
        role,
        calls,
        isExact,
        inputTokens: calls * question,
        outputTokens: calls * reply.check,
      },
      models,
    ),
  ]
}

function priced(forecast: Omit<StageForecast, 'money'>, models: MadeModels): StageForecast {
  const asked = models[forecast.role as keyof MadeModels]
  const share = 1 / Math.max(1, asked.length)
  const { inputTokens, outputTokens } = forecast
  const each = asked.map(({ price }) =>
    price
      ? costOf({ ...emptyUsage, inputTokens: inputTokens * share, outputTokens: outputTokens * share }, price)
      : null,
  )
  return {
    ...forecast,
    money: each.some(one => one === null) ? null : each.reduce((sum: number, one) => sum + (one ?? 0), 0),
  }
}

export function forecastLine({ stage, role, calls, isExact, inputTokens, outputTokens, money }: StageForecast): string {
  const cost = money === null ? 'no price set' : money.toFixed(2)
  return `${stage}: ${isExact ? '' : 'at most '}${calls} calls of make.${role}, ~${inputTokens} + ${outputTokens} tokens, ${cost}`
}
