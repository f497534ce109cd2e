import type { Config } from '../../src/config/schema.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { LongtakeError } from '../../src/core/errors.ts'
import { cellWidth } from '../../src/core/sight/room.ts'
import { skimFrames } from '../../src/core/sight/sheet.ts'
import { tokensOfSize } from '../../src/media/picture-tokens.ts'
import type { ForecastWork } from './forecast.ts'

const prompts = 3 // in which the sheets stand

// What the sheets of a whole video take of a question, where its planner sees: by the size of their cells, as the family of the model counts.
export async function sheetCost(
  { policy, budget, graph }: Pick<Config, 'policy' | 'budget' | 'graph'>,
  models: { open(role: 'planner'): Promise<{ service: Pick<ChatModel, 'id' | 'accepts'> }> },
): Promise<ForecastWork['sheets']> {
  if (!policy.skim || graph !== 'investigate') return undefined
  const planner = await models.open('planner').catch((error: unknown) => {
    if (error instanceof LongtakeError) return undefined // a planner that cannot be asked is told of when it is
    throw error
  })
  if (!planner?.service.accepts.has('image')) return undefined
  const width = cellWidth(planner.service.id)
  const height = Math.ceil((width * 9) / 16) + Math.ceil(width / 14) // with the line of its time
  const smallest = tokensOfSize(planner.service.id, { width: 2 * width, height: 2 * height }) // a sheet of four cells
  return seconds => {
    const frames = skimFrames(seconds, policy.skimFrames, budget.frames)
    return { frames, tokens: Math.ceil(frames / 4) * smallest * prompts }
  }
}
