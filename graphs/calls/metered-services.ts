import { SightBrief } from '../../src/core/brief.ts'
import { type ChatRequest, decorate } from '../../src/core/chat.ts'
import type { ToolServices } from '../../src/core/tool.ts'
import { type Meter, overFrames } from '../meter.ts'

// Whatever a tool asks of a chat model is paid for, whichever tool and whichever model it is. The budget of frames holds within a round
// too: a look that would show more frames than are left is not made.
export function meteredServices(services: ToolServices, meter: Meter): ToolServices {
  let running = 0 // frames shown by calls that have not said so yet
  const metered = (role: 'vision' | 'writer' | 'verifier'): ToolServices[typeof role] => {
    return async () => {
      const { service, ...named } = await services[role]()
      const model = decorate(service, async (request, signal, onText) => {
        const frames = role === 'vision' ? countFrames(request) : 0
        const framesLeft = Math.max(0, meter.framesLeft() - running)
        if (frames > framesLeft) throw overFrames(frames, framesLeft)
        running += frames
        try {
          const reply = await service.reply(request, signal, onText)
          meter.pay(role, reply)
          return reply
        } catch (error) {
          meter.payFailure(role, error, frames)
          throw error
        } finally {
          running -= frames
        }
      })
      return { ...named, service: model }
    }
  }
  return { ...services, vision: metered('vision'), writer: metered('writer'), verifier: metered('verifier') }
}

// A sheet holds several frames; where nothing says how many, a picture is one.
function countFrames({ messages, brief }: ChatRequest): number {
  const pictures = messages.flatMap(one => one.content).filter(part => part.type === 'image').length
  const sight = SightBrief.safeParse(brief).data
  return Math.max(pictures, sight?.pictures.flat().length ?? 0)
}
