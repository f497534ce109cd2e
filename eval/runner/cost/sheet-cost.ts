import type { Config } from '../../../src/config/schema.ts'
import type { ChatModel } from '../../../src/core/chat.ts'
import { LongtakeError } from '../../../src/core/errors.ts'
import { cellWidth } from '../../../src/core/sight/room.ts'
import { skimFrames } from '../../../src/core/sight/sheet.ts'
import { tokensOfSize } from '../../../src/media/picture-tokens.ts'
import type { ForecastWork } from './forecast.ts'

const prompts = 3 // in which the sheets stand

interface Opening {
  open(role: 'planner' | 'vision'): Promise<{ service: Pick<ChatModel, 'id' | 'accepts'> }>
}

// The model of a role, where it takes pictures. One that cannot be opened is told of when it is asked.
export async function seeing(models: Opening, role: 'planner' | 'vision') {
  const opened = await models.open(role).catch((error: unknown) => {
    if (error instanceof LongtakeError) return undefined
    throw error
  })
  return opened?.service.accepts.has('image') ? opened.service : undefined
}

// What the sheets of a whole video take of a question, where its planner sees: by the size of their cells, as the family of the model counts.
export async function sheetCost(
  { policy, budget, graph }: Pick<Config, 'policy' | 'budget' | 'graph'>,
  models: Opening,
): Promise<ForecastWork['sheets']> {
  if (!policy.skim || graph !== 'investigate') return undefined
  const planner = await seeing(models, 'planner')
  if (!planner) return undefined
  const width = cellWidth(planner.id)
  const height = Math.ceil((width * 9) / 16) + Math.ceil(width / 14) // with the line of its time
  const smallest = tokensOfSize(planner.id, { width: 2 * width, height: 2 * height }) // a sheet of four cells
  return seconds => {
    const frames = skimFrames(seconds, policy.skimFrames, budget.frames)
    return { frames, tokens: Math.ceil(frames / 4) * smallest * prompts }
  }
}
