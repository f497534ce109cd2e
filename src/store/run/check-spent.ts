import { z } from 'zod'
import { Usage } from '../../core/chat.ts'
import { StorageError } from '../../core/errors.ts'

const count = z.number().min(0)
const spent = z.object(Object.fromEntries(Object.keys(Usage.shape).map(name => [name, count])))
const State = z.looseObject({ spent: spent.optional(), round: count.optional() })
const News = z.looseObject({ spent: spent.partial().optional(), round: count.optional() })

// Limits hold for what a run has spent before it is resumed. The folder of a run from elsewhere may state negative spending, which would
// raise them.
export function checkSpent(state: unknown, file: string): void {
  refuse(State, state, file)
}

// What is added to a state.
export function checkSpentNews(news: unknown, file: string): void {
  refuse(News, news, file)
}

function refuse(shape: z.ZodType, value: unknown, file: string): void {
  if (value === undefined || shape.safeParse(value).success) return
  throw new StorageError(`${file} is damaged: what the run has spent must be numbers from 0 up.`, {
    hint: 'The run cannot be resumed. Ask again.',
  })
}
