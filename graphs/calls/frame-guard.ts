import { SightBrief } from '../../src/core/brief.ts'
import { type ChatRequest, decorate } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { ToolServices } from '../../src/core/tool.ts'

// The budget of frames holds within a round too: a look that would show more frames than are left is not made.
export function frameGuard(services: ToolServices, budget: number, spent: () => number): ToolServices {
  let running = 0 // shown by calls that have not said so yet
  return {
    ...services,
    async vision() {
      const { by, service } = await services.vision()
      return {
        by,
        service: decorate(service, async (request, signal, onText) => {
          const frames = framesOf(request)
          const framesLeft = Math.max(0, budget - spent() - running)
          if (frames > framesLeft) throw overFrames(frames, framesLeft)
          running += frames
          try {
            return await service.reply(request, signal, onText)
          } finally {
            running -= frames
          }
        }),
      }
    },
  }
}

export function overFrames(frames: number, left: number): UsageError {
  return new UsageError(`This look would show ${frames} frames, and the budget has ${left} left.`, {
    hint: 'Ask for fewer frames, or answer with what there is.',
  })
}

// A sheet holds several frames; where nothing says how many, a picture is one.
function framesOf({ messages, brief }: ChatRequest): number {
  const pictures = messages.flatMap(one => one.content).filter(part => part.type === 'image').length
  const sight = SightBrief.safeParse(brief).data
  return Math.max(pictures, sight?.pictures.flat().length ?? 0)
}
