import { SightBrief } from '../../../src/core/brief.ts'
import type { ChatRequest } from '../../../src/core/chat.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { PerceivedFrame } from './seen.ts'

// The brief of a request that shows pictures. Without one nothing is known of what they show, and nothing is made up.
export function readSightBrief(request: ChatRequest): SightBrief {
  const parsed = SightBrief.safeParse(request.brief)
  if (!parsed.success)
    throw new UsageError(`chat/simulated cannot ${request.purpose}: the request does not say which frames it shows.`, {
      hint: 'It stands in for a model that sees, only in models.vision, and reads the SightBrief of a request (src/core/brief.ts) and not its pictures.',
    })
  const pictureCount = request.messages.flatMap(message => message.content).filter(part => part.type === 'image').length
  const briefCount = parsed.data.pictures.length
  if (pictureCount !== briefCount)
    throw new UsageError(
      `chat/simulated was shown ${pictureCount} pictures, and the brief of the request tells of ${briefCount}.`,
      {
        hint: 'The brief names the times of each picture of the request, in their order.',
      },
    )
  return parsed.data
}

export function shownFrames(pictures: SightBrief['pictures']): PerceivedFrame[] {
  return pictures.flatMap(times => times.map(time => ({ time, cells: times.length })))
}
