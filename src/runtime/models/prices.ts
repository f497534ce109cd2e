import type { Config } from '../../config/schema.ts'
import type { Price, Usage } from '../../core/chat.ts'

// What the model of a role costs: by backend and model if that is set, else by backend; undefined if nobody said.
export function findPrice(
  { models, prices }: Pick<Config, 'models' | 'prices'>,
  role: keyof Config['models'],
): Price | undefined {
  const { backend, model } = models[role]
  return priceIn(prices, backend, model)
}

export function priceIn(prices: Config['prices'], backend: string, model: unknown): Price | undefined {
  const names = [`${backend}/${String(model)}`, backend]
  const name = names.find(one => Object.hasOwn(prices, one))
  return name === undefined ? undefined : prices[name]
}

export function rolePrices(
  settings: Pick<Config, 'models' | 'prices'>,
): Partial<Record<keyof Config['models'], Price>> {
  const roles = Object.keys(settings.models) as (keyof Config['models'])[]
  return Object.fromEntries(
    roles.flatMap(role => {
      const price = findPrice(settings, role)
      return price ? [[role, price]] : []
    }),
  )
}

export function usageCost(usage: Pick<Usage, 'inputTokens' | 'outputTokens'>, price: Price | undefined): number {
  return price ? (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6 : 0
}
