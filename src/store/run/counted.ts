import { z } from 'zod'
import { Usage } from '../../core/chat.ts'
import { StorageError } from '../../core/errors.ts'

const count = z.number().min(0)
const spent = z.object(Object.fromEntries(Object.keys(Usage.shape).map(name => [name, count])))
const Counted = z.looseObject({ spent: spent.optional(), round: count.optional() })
const CountedNews = z.looseObject({ spent: spent.partial().optional(), round: count.optional() })

// Limits hold for what a run has spent before it goes on. In the folder of a stranger that may be less than nothing, or no number.
export function refuseUncounted(state: unknown, file: string): void {
  refuse(Counted, state, file)
}

// What is added to a state.
export function refuseUncountedNews(news: unknown, file: string): void {
  refuse(CountedNews, news, file)
}

function refuse(shape: z.ZodType, value: unknown, file: string): void {
  if (value === undefined || shape.safeParse(value).success) return
  throw new StorageError(`${file} is damaged: what was spent before is not told in numbers from 0 on.`, {
    hint: 'The run cannot be resumed. Ask again.',
  })
}
